package io.movr.datasource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.movr.RunningService;
import io.movr.database.Gateway;
import io.movr.database.SqlState;
import io.movr.schema.Stage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.IncorrectResultSizeDataAccessException;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.core.dialect.JdbcPostgresDialect;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.jdbc.repository.query.StringBasedJdbcQuery;
import org.springframework.data.repository.Repository;
import org.springframework.data.repository.core.support.RepositoryMethodInvocationListener;
import org.springframework.data.repository.core.support.RepositoryMethodInvocationListener.RepositoryMethodInvocation;
import org.springframework.data.repository.core.support.RepositoryMethodInvocationListener.RepositoryMethodInvocationResult.State;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.transaction.support.TransactionTemplate;

class MappedReadsTest {

    private static final Duty ANN = new Duty(1, "Ann", true);
    private static final Duty BOB = new Duty(2, "Bob", true);

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
    private Duties duties;

    @BeforeEach
    void open() {
        Gateway gateway = RunningService.database(Stage.FOREIGN_KEYS);
        context.registerBean(DataSource.class, () -> new DriverManagerDataSource(gateway.url()));
        context.register(Beans.class);
        context.refresh();
        JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
        jdbc.execute("CREATE TABLE duty (id INT PRIMARY KEY, name VARCHAR, on_call BOOLEAN NOT NULL)");
        jdbc.execute("INSERT INTO duty VALUES (1, 'Ann', true), (2, 'Bob', true)");
        duties = context.getBean(Duties.class);
        DutyRow.bySpringData = false;
    }

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void rowsComeWithoutSpringDatasQuery() {
        assertThat(duties.find(1)).contains(ANN);
        assertThat(duties.find(3)).isEmpty();
        assertThat(duties.called("Bob", 0, true)).containsExactly(ANN, BOB);
        assertThat(duties.called("Bob", 0, false)).isEmpty();
        assertThat(DutyRow.bySpringData).isFalse();
    }

    @Test
    void whatIsToBeConvertedGoesSpringDatasWay() {
        assertThat(duties.in(List.of(1, 2))).containsExactly(ANN, BOB);
        assertThat(DutyRow.bySpringData).isTrue();
        assertThat(duties.number()).isEqualTo(2);
    }

    @Test
    void anAbsentValueIsNull() {
        assertThat(duties.called(null, 0, true)).containsExactly(ANN);
    }

    @Test
    void twoRowsAreNoOptionalOne() {
        assertThatThrownBy(() -> duties.above(0)).isInstanceOf(IncorrectResultSizeDataAccessException.class);
    }

    @Test
    void itReadsInTheCallersTransaction() {
        var transaction = new TransactionTemplate(new DataSourceTransactionManager(context.getBean(DataSource.class)));
        transaction.executeWithoutResult(status -> {
            new JdbcTemplate(context.getBean(DataSource.class)).update("DELETE FROM duty WHERE id = 2");
            assertThat(duties.find(2)).isEmpty();
            status.setRollbackOnly();
        });
        assertThat(duties.find(2)).contains(BOB);
    }

    @Test
    void listenersAreToldAsSpringDataTellsThem() {
        duties.find(1);
        assertThatThrownBy(() -> duties.divided(0))
                .isInstanceOfSatisfying(
                        DataAccessException.class,
                        failed -> assertThat(SqlState.of(failed)).isEqualTo("22012"));
        List<RepositoryMethodInvocation> told = context.getBean(Told.class).invocations;
        assertThat(told)
                .extracting(RepositoryMethodInvocation::getRepositoryInterface)
                .containsOnly(Duties.class);
        assertThat(told).extracting(call -> call.getMethod().getName()).containsExactly("find", "divided");
        assertThat(told).extracting(call -> call.getResult().getState()).containsExactly(State.SUCCESS, State.ERROR);
    }

    interface Duties extends Repository<Duty, Integer> {

        @Query(value = "SELECT * FROM duty WHERE id = :id", rowMapperClass = DutyRow.class)
        Optional<Duty> find(int id);

        @Query(
                value = "SELECT * FROM duty WHERE on_call = :onCall AND (id > :above AND on_call = :onCall AND id < 2"
                        + " OR name = :name) ORDER BY id",
                rowMapperClass = DutyRow.class)
        List<Duty> called(@Nullable String name, int above, boolean onCall);

        @Query(value = "SELECT * FROM duty WHERE id > :id", rowMapperClass = DutyRow.class)
        Optional<Duty> above(int id);

        @Query(value = "SELECT * FROM duty WHERE id = 1 / :divisor", rowMapperClass = DutyRow.class)
        List<Duty> divided(int divisor);

        @Query(value = "SELECT * FROM duty WHERE id IN (:ids) ORDER BY id", rowMapperClass = DutyRow.class)
        List<Duty> in(List<Integer> ids);

        @Query("SELECT count(*) FROM duty")
        long number();
    }

    record Duty(@Id int id, String name, boolean onCall) {}

    static final class DutyRow implements RowMapper<Duty> {

        private static boolean bySpringData;

        @Override
        public Duty mapRow(ResultSet row, int number) throws SQLException {
            bySpringData = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                    .walk(frames -> frames.anyMatch(frame -> frame.getDeclaringClass() == StringBasedJdbcQuery.class));
            return new Duty(row.getInt("id"), row.getString("name"), row.getBoolean("on_call"));
        }
    }

    static final class Told implements RepositoryMethodInvocationListener {

        private final List<RepositoryMethodInvocation> invocations = new ArrayList<>();

        @Override
        public void afterInvocation(RepositoryMethodInvocation invocation) {
            invocations.add(invocation);
        }
    }

    @EnableJdbcRepositories(considerNestedRepositories = true)
    @Import(MappedReads.class)
    static class Beans extends AbstractJdbcConfiguration {

        @Bean
        Told told() {
            return new Told();
        }

        @Bean
        NamedParameterJdbcOperations jdbc(DataSource dataSource) {
            return new NamedParameterJdbcTemplate(dataSource);
        }

        @Override
        public JdbcDialect jdbcDialect(NamedParameterJdbcOperations operations) {
            return JdbcPostgresDialect.INSTANCE;
        }
    }
}
