package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException.Problem;
import dev.millrace.network.definition.SourcePosition;
import java.util.List;
import java.util.Map;

/** Ends a request with an HTTP status and a problem. */
final class HttpProblem extends Exception
{
    static final int BAD_REQUEST = 400;

    static final int UNAUTHORIZED = 401;

    static final int FORBIDDEN = 403;

    static final int NOT_FOUND = 404;

    static final int METHOD_NOT_ALLOWED = 405;

    static final int TOO_LARGE = 413;

    static final int REFUSED = 422;

    static final int TOO_MANY = 429;

    static final int OUR_FAULT = 500;

    static final int UNAVAILABLE = 503;

    private static final long serialVersionUID = 1L;

    private final int status;

    private final String code;

    private final String hint;

    HttpProblem(final int status, final String code, final String text, final String hint)
    {
        super(text);
        this.status = status;
        this.code = code;
        this.hint = hint;
    }

    int status()
    {
        return status;
    }

    String code()
    {
        return code;
    }

    Map<String, Object> body()
    {
        return body(List.of(new Problem(code, SourcePosition.NONE, getMessage(), hint, "")));
    }

    static Map<String, Object> body(final List<Problem> problems)
    {
        return Map.of("problems", ProblemMaps.of(problems));
    }
}
