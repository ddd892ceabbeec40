package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.GroupDeployments.GroupAnswer;
import dev.millrace.server.spi.GroupDeployments.MemberAnswer;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Requests with {@code ?group=NAME}: their parameters, and the responses of the group's members. Stateless. */
final class GroupRequest
{
    static final String GROUP = "group";
    private static final int MAX_VALUE = 200;

    private GroupRequest()
    {
    }

    /** A change of a group. */
    @FunctionalInterface
    interface InGroup
    {
        GroupAnswer run(GroupDeployments groups, String group)
            throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException, InterruptedException;
    }

    /** Returns the group of a request; null for this instance only. */
    static String group(final ManagementRequest request) throws HttpProblem
    {
        return parameters(request, List.of(GROUP)).get(GROUP);
    }

    /** Returns all parameters; rejects unknown ones. */
    static Map<String, String> parameters(final ManagementRequest request, final List<String> known) throws HttpProblem
    {
        final String query = request.query();
        final Map<String, String> parameters = new LinkedHashMap<>();
        for (final String each : query == null ? new String[0] : query.split("&"))
        {
            final int equals = each.indexOf('=');
            final String name = equals < 0 ? each : each.substring(0, equals);
            final String value = equals < 0 ? "" : decoded(each.substring(equals + 1));
            if (!known.contains(name) || value.isBlank() || value.length() > MAX_VALUE ||
                value.chars().anyMatch(Character::isISOControl) || parameters.put(name, value) != null)
            {
                throw new HttpProblem(HttpProblem.BAD_REQUEST, "SRV-0414", "invalid parameter of this path",
                    known.isEmpty() ? "send no parameter"
                        : "use ?" + String.join("=...&", known) + "= and the name of a group, or no parameter");
            }
        }
        return parameters;
    }

    private static String decoded(final String value)
    {
        try
        {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        }
        catch (final IllegalArgumentException malformed)
        {
            return "";
        }
    }

    /** Executes a change and returns the responses of the members. */
    static Object run(final Management management, final String group, final InGroup work)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        try
        {
            return map(work.run(management.group(group), group));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new HttpProblem(HttpProblem.UNAVAILABLE, "SRV-0503",
                "the server stops, the members continue, group=" + group,
                "request the state from another member");
        }
    }

    static Map<String, Object> map(final GroupAnswer answer)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", answer.application());
        map.put("group", answer.group());
        map.put("change", answer.version());
        map.put("done", answer.isDone());
        map.put("members", answer.members().stream().map(GroupRequest::map).toList());
        map.put("note", answer.note());
        return map;
    }

    private static Map<String, Object> map(final MemberAnswer member)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("serverName", member.member());
        map.put("answer", member.answer().name());
        map.put("state", member.state());
        map.put("version", member.version());
        map.put("problems", ProblemMaps.of(member.problems()));
        map.put("report", member.report());
        return map;
    }
}
