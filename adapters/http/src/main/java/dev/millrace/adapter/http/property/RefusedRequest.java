package dev.millrace.adapter.http.property;

import dev.millrace.adapter.common.property.ErrorCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Ends a request with an HTTP status and a problem. */
public final class RefusedRequest extends Exception
{
    public static final int BAD_REQUEST = 400;
    public static final int UNAUTHORIZED = 401;
    public static final int FORBIDDEN = 403;
    public static final int NOT_FOUND = 404;
    public static final int METHOD_NOT_ALLOWED = 405;
    public static final int TIMEOUT = 408;
    public static final int TOO_LARGE = 413;
    public static final int UNSUPPORTED = 415;
    public static final int TOO_MANY = 429;
    public static final int UNAVAILABLE = 503;

    private static final long serialVersionUID = 1L;

    private final int status;
    private final ErrorCode code;
    private final String hint;

    public RefusedRequest(final int status, final ErrorCode code, final String text, final String hint)
    {
        super(text, null, false, false);
        this.status = status;
        this.code = code;
        this.hint = hint;
    }

    /** The HTTP status. */
    public int status()
    {
        return status;
    }

    /** The code of the problem. */
    public ErrorCode code()
    {
        return code;
    }

    /** The body of the response, in the form that the management endpoint uses. */
    public Map<String, Object> body()
    {
        return body(List.of(problem(code.text(), getMessage(), hint)));
    }

    /** A problem of a response. */
    public static Map<String, Object> problem(final String code, final String text, final String hint)
    {
        final Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("code", code);
        problem.put("text", text);
        problem.put("hint", hint);
        return problem;
    }

    /** The body of a response with problems. */
    public static Map<String, Object> body(final List<Map<String, Object>> problems)
    {
        return Map.of("problems", problems);
    }
}
