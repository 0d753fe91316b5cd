package io.movr.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.catalina.AccessLog;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.http.MediaType;

/**
 * Answers requests that never reach a servlet because they are not valid HTTP, in the form of all other problems, and
 * closes the connection of a request whose body has not arrived when it is answered.
 */
public final class ProblemValve extends ErrorReportValve implements AccessLog {

    /** The status codes for HTTP versions, methods and encodings that Tomcat does not support. */
    private static final Set<Integer> NOT_SPOKEN = Set.of(501, 505);

    private static final String ASKING = ProblemValve.class.getName();
    private static final int MAX_WAIT_MS = 100;
    private static final int WAIT_MS = 5;

    /** Discards the parts of a body. */
    private static final class Discarded implements ApplicationBufferHandler {

        private ByteBuffer part = ByteBuffer.allocate(0);

        @Override
        public void setByteBuffer(ByteBuffer buffer) {
            part = buffer;
        }

        @Override
        public ByteBuffer getByteBuffer() {
            return part;
        }

        @Override
        public void expand(int size) {
            // Parts come in buffers of their own.
        }
    }

    /**
     * Makes a server answer with problem details, close a connection instead of waiting for the body of a rejected request, and
     * send {@code 100 Continue} only when a body is read.
     */
    public static void useIn(TomcatServletWebServerFactory factory) {
        factory.addConnectorCustomizers(connector -> connector.setProperty(
                "continueResponseTiming", ContinueResponseTiming.ON_REQUEST_BODY_READ.toString()));
        factory.addContextCustomizers(context -> {
            if (context.getParent() instanceof StandardHost host) {
                host.setErrorReportValveClass(ProblemValve.class.getName());
            }
        });
    }

    /** Sends {@code 100 Continue} to a client that expects it. Tomcat does so itself only before a blocking read. */
    static void askForBody(HttpServletRequest request) throws IOException {
        if (request.getAttribute(ASKING) instanceof Asking asking) {
            asking.ask();
        }
    }

    private interface Asking {
        void ask() throws IOException;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        request.setAttribute(
                ASKING, (Asking) () -> response.sendAcknowledgement(ContinueResponseTiming.ON_REQUEST_BODY_READ));
        super.invoke(request, response);
        leaveBody(request, response);
    }

    /** Closes the connection; called also for requests that Tomcat answers without any valve, such as {@code OPTIONS *}. */
    @Override
    public void log(Request request, Response response, long time) {
        leaveBody(request, response);
    }

    @Override
    public void setRequestAttributesEnabled(boolean enabled) {
        // These requests are not logged.
    }

    @Override
    public boolean getRequestAttributesEnabled() {
        return false;
    }

    private static void leaveBody(Request request, Response response) {
        if (request.isAsync() || isBodyRead(request.getCoyoteRequest())) {
            return;
        }
        if (response.getStatus() < 400 && !response.isCommitted()) {
            // Tomcat would turn a success into an error.
            response.setHeader("Connection", "close");
            try {
                response.flushBuffer();
            } catch (IOException gone) {
                return;
            }
        }
        if (arrivesSoon(request, response)) {
            return;
        }
        // Tomcat would wait for the rest, with a thread, to use the connection again.
        request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    }

    /**
     * Waits briefly for a body that follows the headers: closing before it arrives would reset the connection, and the client
     * would lose the answer.
     */
    private static boolean arrivesSoon(Request request, Response response) {
        try {
            response.flushBuffer();
            for (int waited = 0; waited < MAX_WAIT_MS; waited += WAIT_MS) {
                Thread.sleep(WAIT_MS);
                if (isBodyRead(request.getCoyoteRequest())) {
                    return true;
                }
            }
        } catch (IOException gone) {
            return false;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
        return false;
    }

    /** Returns whether the body is completely read, after discarding the received part. */
    private static boolean isBodyRead(org.apache.coyote.Request request) {
        AtomicBoolean read = new AtomicBoolean();
        ApplicationBufferHandler discarded = new Discarded();
        request.action(ActionCode.REQUEST_BODY_FULLY_READ, read);
        try {
            while (!read.get() && hasArrived(request) && request.doRead(discarded) >= 0) {
                request.action(ActionCode.REQUEST_BODY_FULLY_READ, read);
            }
        } catch (IOException malformed) {
            return false;
        }
        return read.get();
    }

    private static boolean hasArrived(org.apache.coyote.Request request) {
        request.action(ActionCode.AVAILABLE, true);
        return request.getAvailable() > 0;
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failed) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        ProblemType type = status < 500 || NOT_SPOKEN.contains(status)
                ? RequestProblem.MALFORMED_REQUEST
                : RequestProblem.INTERNAL_ERROR;
        try {
            response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
            response.setCharacterEncoding(StandardCharsets.UTF_8.name());
            Writer writer = response.getReporter();
            if (writer != null) {
                writer.write("{\"type\":\"" + type.address() + "\",\"title\":\"" + type.title() + "\",\"status\":"
                        + status + "}");
                response.finishResponse();
            }
        } catch (IOException | IllegalStateException gone) {
            // No client is connected any more.
            container.getLogger().debug("The client disconnected before it was answered", gone);
        }
    }
}
