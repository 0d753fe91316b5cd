package io.movr.load;

import io.movr.UserError;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The ledger of one run, read from {@code ledger.csv}: every write that may have been done. */
record Ledger(List<LedgerEntry> entries) {

    /** @throws UserError when the file cannot be read, is no ledger, or holds several runs */
    static Ledger read(Path file) {
        List<LedgerEntry> entries = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            String header = reader.readLine();
            if (!LedgerEntry.HEADER.equals(header)) {
                throw new UserError(file + " is not a ledger: its first line is not " + LedgerEntry.HEADER);
            }
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                entries.add(LedgerEntry.parse(line));
            }
        } catch (IOException failed) {
            throw new UserError("Cannot read " + file + ": " + UserError.firstLine(failed), failed);
        }
        Ledger ledger = new Ledger(entries);
        if (ledger.prefixes().size() > 1) {
            throw new UserError(file + " holds " + ledger.prefixes().size() + " runs: give the ledger of one");
        }
        return ledger;
    }

    /** Returns the prefix of every key of the run; empty if it wrote nothing. */
    Optional<String> prefix() {
        return prefixes().stream().findFirst();
    }

    private Set<String> prefixes() {
        return entries.stream().map(entry -> Keys.prefixOf(entry.key())).collect(Collectors.toSet());
    }

    Set<String> cities() {
        return entries.stream().map(LedgerEntry::city).collect(Collectors.toSet());
    }

    List<LedgerEntry> of(Operation kind) {
        return entries.stream()
                .filter(entry -> entry.kind().equals(kind.label()))
                .toList();
    }

    List<LedgerEntry> of(Operation kind, String city) {
        return of(kind).stream().filter(entry -> entry.city().equals(city)).toList();
    }
}
