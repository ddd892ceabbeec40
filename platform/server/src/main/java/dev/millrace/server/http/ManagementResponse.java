package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import java.util.List;
import java.util.Map;

/**
 * The response to a request. Immutable.
 *
 * @param status HTTP status
 * @param body   converted to JSON
 * @param code   code of the first problem; null on success
 */
record ManagementResponse(int status, Object body, String code)
{
    /** Code when members of a group have not responded in time. */
    private static final String NO_ANSWER = "-";

    private static final int ACCEPTED = 202;

    /** The outcome of a successful request, or of a request to a group. */
    static ManagementResponse of(final Route route, final Object result)
    {
        final boolean isWaiting = result instanceof Map<?, ?> map && "WAITING".equals(map.get("state"));
        return new ManagementResponse(isWaiting ? ACCEPTED : route.status(), result, groupCode(result));
    }

    /** Returns the code of the first problem of a member when a group has failed. */
    private static String groupCode(final Object result)
    {
        if (!(result instanceof final Map<?, ?> map) || !Boolean.FALSE.equals(map.get("done"))
            || !(map.get("members") instanceof final List<?> members))
        {
            return null;
        }
        for (final Object member : members)
        {
            if (member instanceof final Map<?, ?> answer && answer.get("problems") instanceof final List<?> problems
                && !problems.isEmpty() && problems.get(0) instanceof final Map<?, ?> first)
            {
                return String.valueOf(first.get("code"));
            }
        }
        return NO_ANSWER;
    }

    static ManagementResponse of(final HttpProblem problem)
    {
        return new ManagementResponse(problem.status(), problem.body(), problem.code());
    }

    static ManagementResponse of(final DeploymentException e)
    {
        return new ManagementResponse(HttpProblem.REFUSED, HttpProblem.body(e.problems()), e.problems().get(0).code());
    }
}
