package dev.millrace.server.http;

import com.sun.net.httpserver.HttpExchange;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import dev.millrace.server.http.ManagementEndpoint.Route;
import dev.millrace.server.spi.GroupDeployments;
import dev.millrace.server.spi.GroupDeployments.GroupAnswer;
import dev.millrace.server.spi.GroupDeployments.MemberAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The paths that change what is deployed, on this instance or, with {@code ?group=NAME}, on all members of a group.
 * Safe for all threads.
 */
final class DeploymentRoutes
{
    private static final String APPLICATION = "/wlevs/apps/NAME";
    private static final String GROUP = "group=";
    private static final String FILE_NAME = "X-File-Name";
    private static final String NO_FILE_NAME = "upload.jar";
    private static final int MAX_NAME = 200;
    private static final int MAX_FILE_NAME = 100;
    private static final int OK = 200;
    private static final int CREATED = 201;
    private static final int UNAVAILABLE = 503;

    private final Management management;

    DeploymentRoutes(final Management management)
    {
        this.management = management;
    }

    List<Route> routes()
    {
        return List.of(
            new Route("POST", "/wlevs/apps", CREATED, this::install),
            new Route("PUT", APPLICATION, OK, this::update),
            new Route("DELETE", APPLICATION, OK, (exchange, name) -> change(exchange,
                () -> management.uninstall(name), (groups, group) -> groups.uninstall(group, name))),
            new Route("POST", APPLICATION + "/suspend", OK, (exchange, name) -> change(exchange,
                () -> management.suspend(name), (groups, group) -> groups.setSuspended(group, name, true))),
            new Route("POST", APPLICATION + "/resume", OK, (exchange, name) -> change(exchange,
                () -> management.resume(name), (groups, group) -> groups.setSuspended(group, name, false))));
    }

    private Object install(final HttpExchange exchange, final String noName)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final InputStream body = ManagementEndpoint.body(exchange);
        final String fileName = fileName(exchange);
        return change(exchange, () -> management.install(body, fileName),
            (groups, group) -> groups.install(group, body, fileName));
    }

    private Object update(final HttpExchange exchange, final String name)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final InputStream body = ManagementEndpoint.body(exchange);
        final String fileName = fileName(exchange);
        return change(exchange, () -> management.update(name, body, fileName),
            (groups, group) -> groups.update(group, name, body, fileName));
    }

    /** A change of this instance. */
    @FunctionalInterface
    private interface Here
    {
        Object run() throws IOException, DeploymentException, NoSuchApplicationException;
    }

    /** The same of a group. */
    @FunctionalInterface
    private interface InGroup
    {
        GroupAnswer run(GroupDeployments groups, String group)
            throws IOException, DeploymentException, InterruptedException;
    }

    private Object change(final HttpExchange exchange, final Here here, final InGroup inGroup)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final String group = group(exchange);
        if (group == null)
        {
            return here.run();
        }
        try
        {
            return map(inGroup.run(management.group(group), group));
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new HttpProblem(UNAVAILABLE, "SRV-0503", "the server ends, the members go on, group=" + group,
                "ask another member for the state");
        }
    }

    /** The only parameter there is; null when the request has none. */
    private static String group(final HttpExchange exchange) throws HttpProblem
    {
        final String query = exchange.getRequestURI().getRawQuery();
        if (query == null)
        {
            return null;
        }
        final String group = query.startsWith(GROUP)
            ? URLDecoder.decode(query.substring(GROUP.length()), StandardCharsets.UTF_8) : "";
        if (group.isBlank() || group.length() > MAX_NAME || group.chars().anyMatch(Character::isISOControl))
        {
            throw new HttpProblem(HttpProblem.BAD_REQUEST, "SRV-0414", "not a parameter of this path",
                "write ?group= and the name of a group, or nothing");
        }
        return group;
    }

    /** The name a client gave its file ends up in messages and in the log. */
    private static String fileName(final HttpExchange exchange)
    {
        final String fileName = exchange.getRequestHeaders().getFirst(FILE_NAME);
        final String clean = fileName == null || fileName.isBlank() ? NO_FILE_NAME
            : fileName.replaceAll("[^A-Za-z0-9._-]", "_");
        return clean.substring(0, Math.min(clean.length(), MAX_FILE_NAME));
    }

    private static Map<String, Object> map(final GroupAnswer answer)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", answer.application());
        map.put("group", answer.group());
        map.put("change", answer.version());
        map.put("done", answer.isDone());
        map.put("members", answer.members().stream().map(DeploymentRoutes::map).toList());
        return map;
    }

    private static Map<String, Object> map(final MemberAnswer member)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("serverName", member.member());
        map.put("answer", member.answer().name());
        map.put("state", member.state());
        map.put("problems", ProblemMaps.of(member.problems()));
        return map;
    }
}
