package io.movr.web;

import io.movr.datasource.Deadline;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.MDC;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Gives each request its id, which is in every log line and every problem, its time limit, and its limit of size. An
 * id that the client or a proxy sends as {@code X-Request-Id} is kept.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE)
final class RequestFilter extends OncePerRequestFilter {

    static final String REQUEST_ID = "request_id";
    private static final String HEADER = "X-Request-Id";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._:/+=-]{1,128}");

    private final ApiProperties limits;

    RequestFilter(ApiProperties limits) {
        this.limits = limits;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String sent = request.getHeader(HEADER);
        String id = sent != null && ID.matcher(sent).matches()
                ? sent
                : UUID.randomUUID().toString();
        response.setHeader(HEADER, id);
        MDC.put(REQUEST_ID, id);
        try {
            Deadline.<ServletException, IOException>within(
                    limits.requestTimeout(),
                    () -> chain.doFilter(
                            new LimitedRequest(request, limits.largestBody().toBytes()), response));
        } finally {
            MDC.remove(REQUEST_ID);
        }
    }

    private static final class LimitedRequest extends HttpServletRequestWrapper {

        private final long mostBytes;

        LimitedRequest(HttpServletRequest request, long mostBytes) {
            super(request);
            this.mostBytes = mostBytes;
        }

        @Override
        public ServletInputStream getInputStream() throws IOException {
            if (getContentLengthLong() > mostBytes) {
                throw tooLarge(mostBytes);
            }
            return new LimitedStream(super.getInputStream(), mostBytes);
        }
    }

    /** Counts, because a body that is sent in chunks does not say how large it is. */
    private static final class LimitedStream extends ServletInputStream {

        private final ServletInputStream stream;
        private final long mostBytes;
        private long readBytes;

        LimitedStream(ServletInputStream stream, long mostBytes) {
            this.stream = stream;
            this.mostBytes = mostBytes;
        }

        @Override
        public int read() throws IOException {
            int one = stream.read();
            count(one < 0 ? 0 : 1);
            return one;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = stream.read(bytes, offset, length);
            count(Math.max(0, count));
            return count;
        }

        private void count(int bytes) {
            readBytes += bytes;
            if (readBytes > mostBytes) {
                throw tooLarge(mostBytes);
            }
        }

        @Override
        public boolean isFinished() {
            return stream.isFinished();
        }

        @Override
        public boolean isReady() {
            return stream.isReady();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            stream.setReadListener(listener);
        }
    }

    private static Problem tooLarge(long mostBytes) {
        return RequestProblem.BODY_TOO_LARGE.because("A body may weigh " + mostBytes + " bytes at most");
    }
}
