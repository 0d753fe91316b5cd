package io.movr.web;

import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.ActionCode;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;

/**
 * Answers requests that never reach the service because they are not valid HTTP, in the form of all other problems, and
 * closes the connection of a client whose body was refused.
 */
public final class ProblemValve extends ErrorReportValve {

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        super.invoke(request, response);
        if (ReceivedBody.isCutOff(request)) {
            // Tomcat would wait for the rest, with a thread, to use the connection again.
            request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
        }
    }

    @Override
    protected void report(Request request, Response response, @Nullable Throwable failed) {
        int status = response.getStatus();
        if (status < 400 || response.getContentWritten() > 0 || !response.setErrorReported()) {
            return;
        }
        ProblemType type = status < 500 ? RequestProblem.MALFORMED_REQUEST : RequestProblem.INTERNAL_ERROR;
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
            // Nobody is there to be told.
            container.getLogger().debug("The client went away before it could be answered", gone);
        }
    }
}
