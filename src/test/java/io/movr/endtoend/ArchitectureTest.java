package io.movr.endtoend;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ArchitectureTest {

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("io.movr");

    @Test
    void dependenciesPointOneWay() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("cli")
                .definedBy("io.movr.cli..")
                .layer("bench")
                .definedBy("io.movr.bench..")
                .layer("lab")
                .definedBy("io.movr.lab..")
                .layer("study")
                .definedBy("io.movr.study..")
                .layer("traffic")
                .definedBy("io.movr.traffic..")
                .layer("edge")
                .definedBy("io.movr.edge..")
                .layer("workload")
                .definedBy("io.movr.workload..")
                .layer("calibration")
                .definedBy("io.movr.calibration..")
                .layer("compare")
                .definedBy("io.movr.compare..")
                .layer("report")
                .definedBy("io.movr.report..")
                .layer("stats")
                .definedBy("io.movr.stats..")
                .layer("instance")
                .definedBy("io.movr.instance..")
                .layer("rides")
                .definedBy("io.movr.rides..")
                .layer("promos")
                .definedBy("io.movr.promos..")
                .layer("vehicles")
                .definedBy("io.movr.vehicles..")
                .layer("users")
                .definedBy("io.movr.users..")
                .layer("idempotency")
                .definedBy("io.movr.idempotency..")
                .layer("web")
                .definedBy("io.movr.web..")
                .layer("dataset")
                .definedBy("io.movr.dataset..")
                .layer("schema")
                .definedBy("io.movr.schema..")
                .layer("database")
                .definedBy("io.movr.database..")
                .layer("region")
                .definedBy("io.movr.region..")
                .whereLayer("cli")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("bench")
                .mayOnlyBeAccessedByLayers("cli")
                .whereLayer("calibration")
                .mayOnlyBeAccessedByLayers("cli")
                .whereLayer("study")
                .mayOnlyBeAccessedByLayers("cli")
                .whereLayer("traffic")
                .mayOnlyBeAccessedByLayers("cli")
                .whereLayer("edge")
                .mayOnlyBeAccessedByLayers("study", "cli", "lab")
                .whereLayer("workload")
                .mayOnlyBeAccessedByLayers("cli", "calibration", "study")
                .whereLayer("lab")
                .mayOnlyBeAccessedByLayers("cli", "bench", "calibration", "study", "traffic")
                .whereLayer("compare")
                .mayOnlyBeAccessedByLayers("cli", "calibration")
                .whereLayer("report")
                .mayOnlyBeAccessedByLayers(
                        "cli", "bench", "lab", "compare", "workload", "calibration", "study", "traffic")
                .whereLayer("stats")
                .mayOnlyBeAccessedByLayers(
                        "cli", "lab", "compare", "report", "workload", "calibration", "study", "traffic")
                .whereLayer("instance")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("rides")
                .mayOnlyBeAccessedByLayers("bench", "instance")
                .whereLayer("promos")
                .mayOnlyBeAccessedByLayers("bench", "instance", "rides")
                .whereLayer("vehicles")
                .mayOnlyBeAccessedByLayers("bench", "instance", "rides")
                .whereLayer("users")
                .mayOnlyBeAccessedByLayers("bench", "instance", "rides", "promos", "vehicles")
                .whereLayer("idempotency")
                .mayOnlyBeAccessedByLayers("bench", "rides", "promos", "vehicles", "users")
                .whereLayer("web")
                .mayOnlyBeAccessedByLayers("instance", "rides", "promos", "vehicles", "users", "idempotency")
                .whereLayer("dataset")
                .mayOnlyBeAccessedByLayers("cli", "bench", "lab", "traffic")
                .whereLayer("schema")
                .mayOnlyBeAccessedByLayers("cli", "bench", "lab", "traffic", "dataset", "instance")
                .whereLayer("database")
                .mayOnlyBeAccessedByLayers(
                        "cli",
                        "bench",
                        "lab",
                        "workload",
                        "calibration",
                        "study",
                        "traffic",
                        "edge",
                        "dataset",
                        "schema",
                        "instance",
                        "rides",
                        "promos",
                        "vehicles",
                        "users",
                        "idempotency",
                        "web")
                .check(classes);
    }

    @Test
    void packagesFormNoCircles() {
        slices().matching("io.movr.(**)").should().beFreeOfCycles().check(classes);
    }

    @Test
    void namesSayWhatAClassIs() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Impl")
                .check(classes);
    }
}
