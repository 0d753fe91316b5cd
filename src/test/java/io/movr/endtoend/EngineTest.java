package io.movr.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.DockerException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.sun.management.OperatingSystemMXBean;
import io.movr.database.Gateway;
import io.movr.database.LocalCockroach;
import io.movr.endtoend.MovrProgram.Ended;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.cockroachdb.CockroachContainer;
import org.testcontainers.containers.JdbcDatabaseContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Every engine does all that is asked of one: loading, the stages, the experiments with their plans, the service. It is
 * what {@code movr doctor --full} does, on the embedded PostgreSQL, on containers, and on any running cluster:
 * {@code ./mvnw verify -Pfull -Dit.test=EngineTest -Dmovr.test.url=us-east1=postgresql://…,us-west1=postgresql://…}
 */
@Tag("full")
class EngineTest {

    private static final String URLS = "movr.test.url";
    private static final String POSTGRES_IMAGE = "movr.test.image.postgresql";
    private static final String COCKROACH_IMAGE = "movr.test.image.cockroachdb";
    private static final long NINE_NODES_MIB = 16_000;
    private static final long THREE_NODES_MIB = 6_500;
    private static final Pattern CHECK = Pattern.compile("(?m)^  (ok|warning|unknown|problem) +(\\S.*?)  +(\\S.*)$");

    @TempDir
    private Path folder;

    @TestFactory
    Stream<DynamicNode> embeddedPostgres() throws Exception {
        return everythingOn(List.of("experiments", "cache", "stage regional-by-row"));
    }

    @TestFactory
    Stream<DynamicNode> postgresInAContainer() throws Exception {
        DockerImageName image = DockerImageName.parse(System.getProperty(POSTGRES_IMAGE, "postgres:18.1"))
                .asCompatibleSubstituteFor("postgres");
        // As it is delivered, and not with fsync off.
        return orSkipped(() -> inAContainer(
                image,
                name -> new PostgreSQLContainer(name).withCommand("postgres"),
                server -> server,
                List.of("experiments", "cache", "stage unused-index-dropped")));
    }

    /** In a container, or, where there is none, by the program on the path: they do the same. */
    @TestFactory
    Stream<DynamicNode> cockroachOfOneNode() throws Exception {
        DockerImageName image = DockerImageName.parse(
                        System.getProperty(COCKROACH_IMAGE, "cockroachdb/cockroach:v26.1.0"))
                .asCompatibleSubstituteFor("cockroachdb/cockroach");
        return orSkipped(() -> {
            List<String> needed = List.of("experiments", "cache", "stage unused-index-dropped");
            try {
                return inAContainer(image, CockroachContainer::new, EngineTest::withRangefeeds, needed);
            } catch (TestAbortedException noContainer) {
                assumeTrue(
                        LocalCockroach.onPath().isPresent(),
                        noContainer.getMessage() + "; there is no program 'cockroach' on the path either");
            }
            try (LocalCockroach node = LocalCockroach.ofOneNode(null)) {
                return everythingOn(
                        needed, "--url=" + withRangefeeds(node.gateway()).url());
            }
        });
    }

    /** By which the cache is told of writes. */
    private static Gateway withRangefeeds(Gateway server) throws SQLException {
        try (Connection connection = server.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("SET CLUSTER SETTING kv.rangefeed.enabled = true");
        }
        return server;
    }

    @TestFactory
    Stream<DynamicNode> cockroachOfThreeRegions() throws Exception {
        return orSkipped(() -> {
            requireCockroach();
            assumeTrue(memoryMiB() >= THREE_NODES_MIB, "Three nodes need " + THREE_NODES_MIB + " MiB of memory");
            // Their plans do not depend on the number of nodes, and loading for each of them takes minutes here. With
            // one
            // city in a region a partitioned index has four ranges instead of ten, whose replicas have to move.
            return everythingOn(
                    List.of("cache", "stage region-survival", "service at region-survival"),
                    "--engine=cockroach",
                    "--nodes=" + (memoryMiB() >= NINE_NODES_MIB ? 9 : 3),
                    "--home=us-east1=new york",
                    "--home=us-west1=seattle",
                    "--home=europe-west1=amsterdam",
                    "--skip=experiments",
                    "--wait=20");
        });
    }

    private static long memoryMiB() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize() >> 20;
    }

    private static void requireCockroach() {
        assumeTrue(LocalCockroach.onPath().isPresent(), "There is no program 'cockroach' on the path");
    }

    @TestFactory
    Stream<DynamicNode> aClusterThatRuns() throws Exception {
        return orSkipped(() -> {
            String urls = System.getProperty(URLS, "");
            assumeTrue(!urls.isEmpty(), "No cluster is named with -D" + URLS);
            return everythingOn(
                    List.of("experiments", "stage unused-index-dropped"),
                    Arrays.stream(urls.split(",", -1))
                            .map(url -> "--url=" + url)
                            .toArray(String[]::new));
        });
    }

    /** As a test that was skipped and says why, because reports leave out a whole factory that was. */
    private static Stream<DynamicNode> orSkipped(Callable<Stream<DynamicNode>> factory) throws Exception {
        try {
            return factory.call();
        } catch (TestAbortedException skipped) {
            return Stream.of(dynamicTest("skipped", () -> {
                throw skipped;
            }));
        }
    }

    private Stream<DynamicNode> inAContainer(
            DockerImageName image,
            Function<DockerImageName, JdbcDatabaseContainer<?>> start,
            Preparation preparation,
            List<String> needed)
            throws Exception {
        assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "No Docker engine answers");
        fetch(image);
        try (JdbcDatabaseContainer<?> container = start.apply(image)) {
            container.start();
            String url = container.getJdbcUrl();
            Gateway server = new Gateway(url + (url.contains("?") ? "&" : "?") + "user=" + container.getUsername()
                    + (container.getPassword().isEmpty() ? "" : "&password=" + container.getPassword()));
            return everythingOn(needed, "--url=" + preparation.of(server).url());
        }
    }

    /** What is done to a server before it is used. */
    private interface Preparation {
        Gateway of(Gateway server) throws SQLException;
    }

    /** Once, where Testcontainers would try for two minutes: without a registry it is not going to come. */
    private static void fetch(DockerImageName image) throws InterruptedException {
        DockerClient docker = DockerClientFactory.instance().client();
        try {
            docker.inspectImageCmd(image.asCanonicalNameString()).exec();
        } catch (NotFoundException notHere) {
            try {
                docker.pullImageCmd(image.asCanonicalNameString()).start().awaitCompletion();
            } catch (DockerException unreachable) {
                Assumptions.abort(
                        "The image " + image + " is not here and cannot be pulled; another one is named with -D"
                                + POSTGRES_IMAGE + " or -D" + COCKROACH_IMAGE + ": " + unreachable.getMessage());
            }
        }
    }

    /**
     * One test a piece.
     *
     * @param needed pieces that must have been tried and be well, the last of them one that comes late
     */
    private Stream<DynamicNode> everythingOn(List<String> needed, String... named)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("doctor", "--full"));
        arguments.addAll(List.of(named));
        Ended ended = new MovrProgram(folder).run(arguments, "");
        String all = ended.output() + ended.error();
        List<MatchResult> checks =
                CHECK.matcher(ended.output()).results().map(found -> found).toList();
        List<DynamicNode> tests = new ArrayList<>();
        for (MatchResult check : checks) {
            tests.add(dynamicTest(
                    check.group(2),
                    () -> assertThat(check.group(1)).as(check.group()).isNotEqualTo("problem")));
        }
        tests.add(dynamicTest("all pieces", () -> {
            assertThat(checks)
                    .as(all)
                    .filteredOn(check -> check.group(1).equals("ok"))
                    .extracting(check -> check.group(2))
                    .contains("load")
                    .containsAll(needed);
            assertThat(ended.code()).as(all).isZero();
        }));
        return tests.stream();
    }
}
