package io.movr.report;

import io.movr.SlowdownBound.Outcome;
import io.movr.report.LabGate.Judged;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** A run of the laboratory as JUnit's XML, which CI servers show: a test case for each experiment and each bounded write. */
public final class LabJunit {

    private LabJunit() {}

    /** The document. */
    public static String of(LabResults results, LabGate gate) {
        List<Judged> cases = gate.judge(results);
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuites");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuite");
            xml.writeAttribute("name", results.program());
            xml.writeAttribute("tests", Integer.toString(cases.size()));
            xml.writeAttribute("failures", count(cases, gate, Outcome.FAILED));
            xml.writeAttribute("errors", "0");
            xml.writeAttribute("skipped", count(cases, gate, Outcome.UNSURE));
            xml.writeAttribute("time", seconds(results.tookSeconds()));
            xml.writeAttribute("timestamp", results.startedAt().replace("Z", ""));
            xml.writeCharacters("\n");
            for (Judged one : cases) {
                write(xml, one, gate.counted(one));
            }
            xml.writeEndElement();
            xml.writeCharacters("\n");
            xml.writeEndElement();
            xml.writeCharacters("\n");
            xml.writeEndDocument();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException(impossible);
        }
        return text.toString();
    }

    private static void write(XMLStreamWriter xml, Judged one, Outcome counted) throws XMLStreamException {
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "movr.lab." + one.experiment());
        xml.writeAttribute("name", one.write() == null ? one.experiment() : "write " + one.write());
        xml.writeAttribute("time", seconds(one.seconds()));
        switch (counted) {
            case PASSED -> {
                if (!one.message().isEmpty()) {
                    xml.writeStartElement("system-out");
                    xml.writeCharacters(legal(one.message()));
                    xml.writeEndElement();
                }
            }
            case FAILED -> {
                xml.writeStartElement("failure");
                xml.writeAttribute("message", legal(firstLine(one)));
                xml.writeCharacters(legal(one.message()));
                xml.writeEndElement();
            }
            case UNSURE -> {
                xml.writeEmptyElement("skipped");
                xml.writeAttribute("message", legal(firstLine(one)));
            }
        }
        xml.writeEndElement();
        xml.writeCharacters("\n");
    }

    private static String count(List<Judged> cases, LabGate gate, Outcome outcome) {
        return Long.toString(
                cases.stream().filter(one -> gate.counted(one) == outcome).count());
    }

    private static String seconds(double seconds) {
        return String.format(Locale.ROOT, "%.3f", seconds);
    }

    private static String firstLine(Judged one) {
        return one.message().lines().findFirst().orElse("");
    }

    /** Without what XML cannot hold. */
    private static String legal(String text) {
        return text.replaceAll("[^\\t\\n\\r\\x20-\\uD7FF\\uE000-\\uFFFD\\x{10000}-\\x{10FFFF}]", "\uFFFD");
    }
}
