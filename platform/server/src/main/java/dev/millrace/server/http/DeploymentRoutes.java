package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.deployment.SettingsEdits;
import dev.millrace.server.http.GroupRequest.InGroup;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import dev.millrace.server.http.Route.Description;
import dev.millrace.server.spi.GroupDeployments.SettingsEdit;
import dev.millrace.server.spi.GroupDeployments.Version;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * The routes that change deployments, on this instance or, with {@code ?group=NAME}, on all members of a group.
 * Thread-safe.
 */
final class DeploymentRoutes
{
    private static final String APPLICATION = "/wlevs/apps/NAME";
    private static final String CONFIGURATION = APPLICATION + "/configuration/CONFIGURATION";
    private static final String TO = "to";
    private static final String TIMEOUT = "timeout";
    private static final long MAX_TIMEOUT_SECONDS = 3600;
    private static final String FILE_NAME = "X-File-Name";
    private static final String NO_FILE_NAME = "upload.jar";
    private static final int MAX_CONFIGURATION_BYTES = 2 << 20;
    private static final int MAX_FILE_NAME = 100;
    private static final int OK = 200;
    private static final int CREATED = 201;

    private final Management management;

    DeploymentRoutes(final Management management)
    {
        this.management = management;
    }

    List<Route> routes()
    {
        return List.of(
            new Route("POST", "/wlevs/apps", CREATED, uploading(
                "Installs a bundle and waits until it runs."), this::install),
            new Route("PUT", APPLICATION, OK, uploading("Replaces the bundle of an application."), this::update),
            new Route("DELETE", APPLICATION, OK, changing("Uninstalls an application."),
                (request, name) -> change(request,
                () -> management.uninstall(name), (groups, group) -> groups.uninstall(group, name))),
            new Route("POST", APPLICATION + "/suspend", OK, changing(
                "Suspends the sources of an application."), (request, name) -> change(request,
                () -> management.suspend(name), (groups, group) -> groups.setSuspended(group, name, true))),
            new Route("POST", APPLICATION + "/resume", OK, changing(
                "Resumes a suspended application, or starts one in quarantine."), (request, name) -> change(request,
                () -> management.resume(name), (groups, group) -> groups.setSuspended(group, name, false))),
            new Route("POST", APPLICATION + "/restart", OK, new Description(
                "Restarts an application on this instance, even one that has failed; its state is lost.",
                ResponseBody.APPLICATION), (exchange, name) -> management.restart(name)),
            new Route("PUT", CONFIGURATION, OK, changing(
                "Replaces a configuration file of the bundle, or adds one, and creates the application again.").body(
                    "a component configuration file. At most " + (MAX_CONFIGURATION_BYTES >> 20) + " MiB"),
                this::configure),
            new Route("DELETE", CONFIGURATION, OK, changing(
                "Returns to the configuration file of the bundle."), this::unconfigure),
            new Route("GET", APPLICATION + "/versions", OK, new Description(
                "Returns the versions of an application in a group.", ResponseBody.VERSIONS)
                .parameter(GroupRequest.GROUP, "the group; required"), this::versions),
            new Route("POST", APPLICATION + "/rollback", OK, new Description(
                "Returns a group to an earlier version of an application.", ResponseBody.GROUP_CHANGE)
                .parameter(GroupRequest.GROUP, "the group; required")
                .parameter(TO, "number of the version; required"), this::rollBack),
            new Route("GET", APPLICATION + "/progress", OK, new Description(
                "Returns the progress of the last change of an application in its group.", ResponseBody.GROUP_CHANGE),
                (request, name) -> progress(name)));
    }

    /** Describes a change of this instance or of a group. */
    private static Description changing(final String summary)
    {
        return new Description(summary, ResponseBody.APPLICATION).group();
    }

    private static Description uploading(final String summary)
    {
        return changing(summary).parameter(TIMEOUT, "limit for the start, in seconds, 1 to " + MAX_TIMEOUT_SECONDS)
            .body("the jar; the header `X-File-Name` names it in messages. At most "
                + (EndpointLimits.MAX_BODY_BYTES >> 20) + " MiB");
    }

    private Object install(final ManagementRequest request, final String noName)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final String fileName = fileName(request);
        try (InputStream body = request.body(EndpointLimits.MAX_BODY_BYTES))
        {
            return timed(request, timeoutNs -> management.install(body, fileName, timeoutNs),
                timeoutNs -> (groups, group) -> groups.install(group, body, fileName, timeoutNs));
        }
    }

    private Object update(final ManagementRequest request, final String name)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final String fileName = fileName(request);
        try (InputStream body = request.body(EndpointLimits.MAX_BODY_BYTES))
        {
            return timed(request, timeoutNs -> management.update(name, body, fileName, timeoutNs),
                timeoutNs -> (groups, group) -> groups.update(group, name, body, fileName, timeoutNs));
        }
    }

    /** A change of this instance. */
    @FunctionalInterface
    private interface Here
    {
        Object run() throws IOException, DeploymentException, NoSuchApplicationException;
    }

    /** A change of this instance with a time limit that the client sets. */
    @FunctionalInterface
    private interface Timed
    {
        Object run(long timeoutNs) throws IOException, DeploymentException, NoSuchApplicationException;
    }

    private Object timed(final ManagementRequest request, final Timed here, final LongFunction<InGroup> inGroup)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final Map<String, String> parameters =
            GroupRequest.parameters(request, List.of(GroupRequest.GROUP, TIMEOUT));
        final String group = parameters.get(GroupRequest.GROUP);
        final String seconds = parameters.get(TIMEOUT);
        if (seconds != null && !isTimeout(seconds))
        {
            throw new HttpProblem(HttpProblem.BAD_REQUEST, "SRV-0415", "not a valid start timeout, timeout=" + seconds,
                "specify 1 to " + MAX_TIMEOUT_SECONDS + " seconds");
        }
        final long timeoutNs = seconds == null ? 0 : TimeUnit.SECONDS.toNanos(Long.parseLong(seconds));
        return group == null ? here.run(timeoutNs)
            : GroupRequest.run(management, group, inGroup.apply(timeoutNs));
    }

    private static boolean isTimeout(final String seconds)
    {
        return seconds.matches("[1-9]\\d{0,3}") && Long.parseLong(seconds) <= MAX_TIMEOUT_SECONDS;
    }

    private Object change(final ManagementRequest request, final Here here, final InGroup inGroup)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final String group = GroupRequest.group(request);
        return group == null ? here.run() : GroupRequest.run(management, group, inGroup);
    }

    private Object configure(final ManagementRequest request, final String name)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final String file = file(request);
        final byte[] content;
        try (InputStream body = request.body(MAX_CONFIGURATION_BYTES))
        {
            content = body.readAllBytes();
        }
        catch (final LimitedInput.TooLargeException e)
        {
            throw new HttpProblem(HttpProblem.TOO_LARGE, "SRV-0413", "body is too large, limitBytes=" +
                MAX_CONFIGURATION_BYTES, "split the configuration file");
        }
        return change(request, name, "configuration " + file, SettingsEdits.configuration(file, content));
    }

    private Object unconfigure(final ManagementRequest request, final String name)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final String file = file(request);
        return change(request, name, "configuration " + file + " of the bundle again",
            SettingsEdits.withoutConfiguration(file));
    }

    private Object change(
        final ManagementRequest request, final String name, final String what, final SettingsEdit edit)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        return change(request, () -> management.configure(name, edit),
            (groups, group) -> groups.change(group, name, what, edit));
    }

    /** Returns the last segment of the path. */
    private static String file(final ManagementRequest request)
    {
        final String path = request.path();
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Returns the versions of a group, the current one last. */
    private Object versions(final ManagementRequest request, final String name) throws HttpProblem, DeploymentException
    {
        final String group = needed(GroupRequest.group(request));
        final List<Map<String, Object>> versions = new ArrayList<>();
        for (final Version each : management.group(group).history(group, name))
        {
            versions.add(Map.of("version", each.number(), "time", Instant.ofEpochMilli(each.timeMs()).toString(),
                "member", each.member(), "change", each.change()));
        }
        return Map.of("name", name, "versions", versions);
    }

    private Object rollBack(final ManagementRequest request, final String name)
        throws IOException, HttpProblem, DeploymentException, NoSuchApplicationException
    {
        final Map<String, String> parameters = GroupRequest.parameters(request, List.of(GroupRequest.GROUP, TO));
        final String to = parameters.getOrDefault(TO, "");
        if (!to.matches("\\d{1,18}"))
        {
            throw new HttpProblem(HttpProblem.BAD_REQUEST, "SRV-0414", "not a version number, to=" + to,
                "the history of the group lists the version numbers");
        }
        return GroupRequest.run(management, needed(parameters.get(GroupRequest.GROUP)),
            (groups, group) -> groups.rollBack(group, name, Long.parseLong(to)));
    }

    private static String needed(final String group) throws HttpProblem
    {
        if (group == null)
        {
            throw new HttpProblem(HttpProblem.BAD_REQUEST, "SRV-0414", "only groups store versions, missing=group",
                "add ?group= with the name of a group");
        }
        return group;
    }

    private Object progress(final String name) throws HttpProblem, DeploymentException
    {
        return management.group("-").progress(name).map(GroupRequest::map).orElseThrow(() -> new HttpProblem(
            HttpProblem.NOT_FOUND, "SRV-0404", "no group has this application, name=" + name,
            "check the list of applications"));
    }

    /** Sanitizes the name that a client gave its file, because the name appears in messages and in the log. */
    static String fileName(final ManagementRequest request)
    {
        final String fileName = request.header(FILE_NAME);
        final String clean = fileName == null || fileName.isBlank() ? NO_FILE_NAME
            : fileName.replaceAll("[^A-Za-z0-9._-]", "_");
        return clean.substring(0, Math.min(clean.length(), MAX_FILE_NAME));
    }
}
