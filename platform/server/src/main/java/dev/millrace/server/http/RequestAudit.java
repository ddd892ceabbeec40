package dev.millrace.server.http;

import dev.millrace.server.audit.AuditLog;
import dev.millrace.server.audit.AuditLog.Entry;
import dev.millrace.server.http.ManagementRequest.Caller;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes callers' changes, and rejected requests, to the audit log. Thread-safe. */
final class RequestAudit
{
    private static final Logger LOG = LoggerFactory.getLogger(RequestAudit.class);

    private static final String PREFIX = "/wlevs/";

    private static final Map<String, String> EVENTS = events();

    private final AuditLog log;

    RequestAudit(final AuditLog log)
    {
        this.log = log;
    }

    private static Map<String, String> events()
    {
        final String application = "/wlevs/apps/NAME";
        final String rule = application + "/processors/PROCESSOR/rules/RULE";
        final Map<String, String> events = new HashMap<>();
        events.put("POST /wlevs/server/shutdown", "server.stop");
        events.put("POST /wlevs/apps", "app.install");
        events.put("PUT " + application, "app.update");
        events.put("DELETE " + application, "app.uninstall");
        events.put("POST " + application + "/suspend", "app.suspend");
        events.put("POST " + application + "/resume", "app.resume");
        events.put("POST " + application + "/restart", "app.restart");
        events.put("POST " + application + "/rollback", "app.rollback");
        events.put("PUT " + application + "/configuration/CONFIGURATION", "app.configure");
        events.put("DELETE " + application + "/configuration/CONFIGURATION", "app.unconfigure");
        events.put("PUT " + rule, "rule.put");
        events.put("DELETE " + rule, "rule.remove");
        events.put("POST " + rule + "/start", "rule.start");
        events.put("POST " + rule + "/stop", "rule.stop");
        events.put("PUT " + rule + "/bindings", "rule.bind");
        events.put("PUT " + application + "/processors/PROCESSOR/rule-file", "rules.replace");
        final String stage = application + "/stages/STAGE";
        events.put("POST " + stage + "/record/start", "record.start");
        events.put("POST " + stage + "/record/stop", "record.stop");
        events.put("POST " + stage + "/playback/start", "playback.start");
        events.put("POST " + stage + "/playback/stop", "playback.stop");
        events.put("DELETE /wlevs/events/DATASET", "events.delete");
        return Map.copyOf(events);
    }

    /** Whether requests of a route are logged: all that may change something. */
    static boolean isAudited(final Route route)
    {
        return !route.method().equals("GET");
    }

    /** Returns the event name of a route; a route without a name here has its method and path. */
    static String event(final Route route)
    {
        final String key = route.method() + ' ' + route.path();
        return EVENTS.getOrDefault(key, key);
    }

    /**
     * Writes that a change begins. If the line cannot be written, the change must not begin, unless it stops the
     * instance.
     *
     * @return the entry for {@link #end}
     */
    Entry begin(final Route route, final ManagementRequest request) throws HttpProblem
    {
        final Entry entry = new Entry(event(route), request.caller().user(), request.caller().peer(),
            target(request), "begun", null);
        try
        {
            log.write(entry);
        }
        catch (final IOException e)
        {
            if (!Route.isShutdown(route))
            {
                LOG.error("SRV-0412 the audit log cannot be written, the change is refused, event={} user={} peer={}"
                    + " target={} reason={}", entry.event(), entry.user(), entry.peer(), entry.target(), e.toString());
                throw new HttpProblem(HttpProblem.UNAVAILABLE, "SRV-0412", "the audit log cannot be written, reason="
                    + e, "free disk space, or check owner and mode of logs/audit.log; until then, changes are"
                    + " refused; the instance can still be queried and stopped");
            }
            complain(entry, e);
        }
        return entry;
    }

    private static String target(final ManagementRequest request)
    {
        final StringBuilder target = new StringBuilder(request.path().startsWith(PREFIX)
            ? request.path().substring(PREFIX.length()) : request.path());
        if (request.path().equals("/wlevs/apps"))
        {
            target.append('/').append(DeploymentRoutes.fileName(request));
        }
        try
        {
            GroupRequest.parameters(request, List.of(GroupRequest.GROUP, "to"))
                .forEach((name, value) -> target.append(' ').append(name).append('=').append(value));
        }
        catch (final HttpProblem e)
        {
            // Other parameters are rejected and may contain anything.
            target.append(" ?");
        }
        return target.toString();
    }

    /** Writes the result of a change, before the response is sent. */
    void end(final Entry begun, final ManagementResponse outcome)
    {
        final String result = outcome.code() == null ? "done"
            : outcome.status() >= HttpProblem.OUR_FAULT || outcome.status() < HttpProblem.BAD_REQUEST ? "failed"
            : "refused";
        final String name = outcome.code() == null && outcome.body() instanceof final Map<?, ?> map
            && map.get("name") instanceof final String text ? text : null;
        final String target = name == null || begun.target().contains(name) ? begun.target()
            : begun.target() + " name=" + name;
        final Entry entry = begun.ended(target, result, outcome.code());
        try
        {
            log.write(entry);
        }
        catch (final IOException e)
        {
            complain(entry, e);
        }
    }

    private static void complain(final Entry entry, final IOException e)
    {
        LOG.error("SRV-0416 a line of the audit log could not be written, event={} user={} peer={} target={}"
            + " result={} code={} reason={}",
            entry.event(), entry.user(), entry.peer(), entry.target(), entry.result(), entry.code(), e.toString());
    }

    /** Writes that a caller was rejected. */
    void refused(final String user, final String peer, final HttpProblem problem)
    {
        refuse(new Entry(problem.status() == HttpProblem.FORBIDDEN ? "access" : "login", user, peer, "server",
            "refused", problem.code()));
    }

    /** Writes that a user is temporarily locked out of password logins. */
    void lockedOut(final String user, final String peer)
    {
        refuse(new Entry("login.lock", user, peer, "server", "done", "SRV-0406"));
    }

    /** Writes that a change was refused before it began. */
    void refused(final Route route, final Caller caller, final String path, final HttpProblem problem)
    {
        refuse(new Entry(event(route), caller.user(), caller.peer(), path.substring(PREFIX.length()), "refused",
            problem.code()));
    }

    private void refuse(final Entry entry)
    {
        try
        {
            log.writeRefusal(entry);
        }
        catch (final IOException e)
        {
            complain(entry, e);
        }
    }
}
