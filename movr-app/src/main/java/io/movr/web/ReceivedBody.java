package io.movr.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.ClientAbortException;
import org.apache.coyote.BadRequestException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;

/**
 * The body of a request, received before the request is handled: no thread waits for a client that sends slowly. The
 * request is dispatched again when the body is there, or refused.
 */
final class ReceivedBody implements ReadListener, AsyncListener {

    private static final String ATTRIBUTE = ReceivedBody.class.getName();
    private static final int BUFFER_BYTES = 8_192;

    private final AsyncContext context;
    private final ServletInputStream stream;
    private final ApiProperties limits;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long received;
    private boolean whole;
    private @Nullable Problem refusal;

    private ReceivedBody(AsyncContext context, ServletInputStream stream, ApiProperties limits) {
        this.context = context;
        this.stream = stream;
        this.limits = limits;
    }

    /** Returns whether the request has a body that has not been received. */
    static boolean isAwaited(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) == null
                && (request.getContentLengthLong() > 0 || request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null);
    }

    /** Returns whether a part of the body was refused, so that the connection cannot be used for another request. */
    static boolean isCutOff(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof ReceivedBody body && body.refusal != null && !body.whole;
    }

    /** Returns whether the request has had a body. */
    static boolean isIn(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) != null;
    }

    /** Returns whether the body is refused before it is sent: its declared length is too large, and the client waits for 100 Continue. */
    static boolean isRefusedUnsent(HttpServletRequest request, ApiProperties limits) {
        return request.getHeader(HttpHeaders.EXPECT) != null
                && request.getContentLengthLong() > limits.largestBody().toBytes();
    }

    /** Begins to receive the body; the request is dispatched again at its end. */
    static void receive(HttpServletRequest request, ApiProperties limits) throws IOException {
        // The stream is opened also if nothing is read, so that Tomcat does not search the body for parameters.
        ServletInputStream stream = request.getInputStream();
        AsyncContext context = request.startAsync();
        context.setTimeout(limits.bodyTimeout().toMillis());
        ReceivedBody body = new ReceivedBody(context, stream, limits);
        request.setAttribute(ATTRIBUTE, body);
        context.addListener(body);
        ProblemValve.askForBody(request);
        stream.setReadListener(body);
    }

    /** Returns the request with its body, if it has one. */
    static HttpServletRequest in(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof ReceivedBody body ? body.of(request) : request;
    }

    @Override
    public void onDataAvailable() throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            while (stream.isReady()) {
                int count = stream.read(buffer);
                if (count < 0) {
                    return;
                }
                received += count;
                // The rest is read nevertheless: many clients read no answer before they have sent everything.
                if (!isTooLarge()) {
                    bytes.write(buffer, 0, count);
                }
            }
        } catch (ClientAbortException gone) {
            throw gone;
        } catch (BadRequestException malformed) {
            refuse(RequestProblem.MALFORMED_REQUEST.because(RequestProblem.MALFORMED_REQUEST.explanation()));
        }
    }

    @Override
    public void onAllDataRead() {
        whole = true;
        if (isTooLarge()) {
            refusal = tooLarge();
        } else if (!isUtf8(bytes.toByteArray())) {
            refusal = RequestProblem.UNREADABLE_BODY.because("The body is not UTF-8");
        }
        context.dispatch();
    }

    @Override
    public void onError(Throwable failed) {
        // The listener of the request is also notified when it may be answered.
    }

    /** Refuses a body that has exceeded its timeout. */
    @Override
    public void onTimeout(AsyncEvent event) {
        refuse(isTooLarge() ? tooLarge() : tooSlow());
    }

    /** Refuses a body after the read timeout of the connection, or ends the request if the client has disconnected. */
    @Override
    public void onError(AsyncEvent event) {
        if (event.getThrowable() instanceof SocketTimeoutException) {
            refuse(isTooLarge() ? tooLarge() : tooSlow());
        } else {
            context.complete();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        // The request has ended.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        // The request is not made asynchronous a second time.
    }

    private boolean isTooLarge() {
        return received > limits.largestBody().toBytes();
    }

    /**
     * Jackson also takes overlong sequences, by which a character can be hidden from a search for its byte, and takes zero
     * bytes, which JSON never has, as a sign of UTF-16 or UTF-32.
     */
    private static boolean isUtf8(byte[] body) {
        for (byte each : body) {
            if (each == 0) {
                return false;
            }
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
            return true;
        } catch (CharacterCodingException malformed) {
            return false;
        }
    }

    private void refuse(Problem problem) {
        refusal = problem;
        context.dispatch();
    }

    private Problem tooSlow() {
        return RequestProblem.BODY_TOO_SLOW.because(
                "The body must arrive within " + limits.bodyTimeout().toMillis() + " ms, without long pauses");
    }

    private Problem tooLarge() {
        return RequestProblem.BODY_TOO_LARGE.because(
                "A body may have " + limits.largestBody().toBytes() + " bytes at most");
    }

    private HttpServletRequest of(HttpServletRequest request) {
        return new HttpServletRequestWrapper(request) {
            /** Filters see the first dispatch: observations of an asynchronous one are not ended by them. */
            @Override
            public DispatcherType getDispatcherType() {
                return DispatcherType.REQUEST;
            }

            @Override
            public ServletInputStream getInputStream() {
                if (refusal != null) {
                    throw refusal;
                }
                return new Bytes(new ByteArrayInputStream(bytes.toByteArray()));
            }
        };
    }

    private static final class Bytes extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        Bytes(ByteArrayInputStream bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            return bytes.read(buffer, offset, length);
        }

        @Override
        public int available() {
            return bytes.available();
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException("The body has been received already");
        }
    }
}
