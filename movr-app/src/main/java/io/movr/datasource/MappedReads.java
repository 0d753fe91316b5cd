package io.movr.datasource;

import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.jdbc.repository.support.JdbcRepositoryFactoryBean;
import org.springframework.data.repository.core.RepositoryInformation;
import org.springframework.data.repository.core.support.RepositoryMethodInvocationListener;
import org.springframework.data.repository.core.support.RepositoryMethodInvocationListener.RepositoryMethodInvocation;
import org.springframework.data.repository.core.support.RepositoryMethodInvocationListener.RepositoryMethodInvocationResult;
import org.springframework.data.repository.core.support.RepositoryMethodInvocationListener.RepositoryMethodInvocationResult.State;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterUtils;
import org.springframework.jdbc.core.namedparam.ParsedSql;

/**
 * A fast path for repository methods with a row mapper: the parts that are equal in every call are computed once. Spring Data would check
 * each parameter and the result for conversions, and would replace the names of parameters by question marks, in every call.
 * Metrics are counted as Spring Data counts them.
 *
 * <p>It applies to a method if its {@code @Query} names a {@code rowMapperClass}, it returns a {@link List} or an
 * {@link Optional}, and each of its parameters has a type that the driver accepts without conversion.
 */
public final class MappedReads implements BeanPostProcessor {

    private static final Set<Class<?>> UNCONVERTED =
            Set.of(String.class, UUID.class, int.class, boolean.class, LocalDateTime.class);

    private final ObjectProvider<NamedParameterJdbcOperations> jdbc;
    private final ObjectProvider<RepositoryMethodInvocationListener> listeners;

    public MappedReads(
            ObjectProvider<NamedParameterJdbcOperations> jdbc,
            ObjectProvider<RepositoryMethodInvocationListener> listeners) {
        this.jdbc = jdbc;
        this.listeners = listeners;
    }

    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (bean instanceof JdbcRepositoryFactoryBean<?, ?, ?> repository) {
            repository.addRepositoryFactoryCustomizer(factory -> factory.addRepositoryProxyPostProcessor(
                    (proxy, information) -> proxy.addAdvice(reads(information))));
        }
        return bean;
    }

    private MethodInterceptor reads(RepositoryInformation repository) {
        JdbcOperations operations = jdbc.getObject().getJdbcOperations();
        List<RepositoryMethodInvocationListener> informed = listeners.stream().toList();
        Map<Method, Read> reads = new HashMap<>();
        for (Method method : repository.getQueryMethods()) {
            Read read = Read.of(method);
            if (read != null) {
                reads.put(method, read);
            }
        }
        return call -> {
            Read read = reads.get(call.getMethod());
            return read == null
                    ? call.proceed()
                    : measured(
                            repository.getRepositoryInterface(),
                            call,
                            informed,
                            () -> read.run(operations, call.getArguments()));
        };
    }

    private static Object measured(
            Class<?> repository,
            MethodInvocation call,
            List<RepositoryMethodInvocationListener> informed,
            Supplier<Object> read) {
        long begun = System.nanoTime();
        Throwable error = null;
        try {
            return read.get();
        } catch (RuntimeException | Error failed) {
            error = failed;
            throw failed;
        } finally {
            var result = new Result(error);
            var invocation =
                    new RepositoryMethodInvocation(repository, call.getMethod(), result, System.nanoTime() - begun);
            informed.forEach(listener -> listener.afterInvocation(invocation));
        }
    }

    private record Result(@Nullable Throwable error) implements RepositoryMethodInvocationResult {

        @Override
        public State getState() {
            return error == null ? State.SUCCESS : State.ERROR;
        }

        @Override
        public @Nullable Throwable getError() {
            return error;
        }
    }

    /** The prepared query of a method. */
    private static final class Read {

        private final String sql;
        /** The index of the method's parameter for each question mark. */
        private final int[] order;

        private final RowMapper<?> mapper;
        private final boolean optional;

        private Read(Method method, Query query) {
            MapSqlParameterSource places = new MapSqlParameterSource();
            Parameter[] parameters = method.getParameters();
            for (int place = 0; place < parameters.length; place++) {
                places.addValue(parameters[place].getName(), place);
            }
            ParsedSql parsed = NamedParameterUtils.parseSqlStatement(query.value());
            sql = NamedParameterUtils.substituteNamedParameters(parsed, places);
            order = Arrays.stream(NamedParameterUtils.buildValueArray(parsed, places, null))
                    .mapToInt(Integer.class::cast)
                    .toArray();
            mapper = BeanUtils.instantiateClass(query.rowMapperClass());
            optional = method.getReturnType() == Optional.class;
        }

        /** Returns the query of a method; {@code null} if Spring Data must execute it. */
        static @Nullable Read of(Method method) {
            Query query = method.getAnnotation(Query.class);
            boolean mapped = query != null && query.rowMapperClass() != RowMapper.class;
            boolean answers = method.getReturnType() == List.class || method.getReturnType() == Optional.class;
            return mapped && answers && UNCONVERTED.containsAll(List.of(method.getParameterTypes()))
                    ? new Read(method, query)
                    : null;
        }

        Object run(JdbcOperations jdbc, @Nullable Object[] arguments) {
            Object[] values = new Object[order.length];
            for (int place = 0; place < values.length; place++) {
                values[place] = arguments[order[place]];
            }
            List<?> rows = jdbc.query(sql, mapper, values);
            return optional ? DataAccessUtils.optionalResult(rows) : rows;
        }
    }
}
