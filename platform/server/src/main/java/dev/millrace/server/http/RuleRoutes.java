package dev.millrace.server.http;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.deployment.SettingsEdits;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import dev.millrace.server.http.Route.Description;
import dev.millrace.server.rules.RuleEdit;
import dev.millrace.server.rules.RuleEdits;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The routes below a processor, which read and change its rules. Thread-safe. */
final class RuleRoutes
{
    private static final String RULES = "/wlevs/apps/NAME/processors/PROCESSOR/rules";
    private static final String RULE = RULES + "/RULE";
    private static final String FILE = "/wlevs/apps/NAME/processors/PROCESSOR/rule-file";
    private static final int MAX_BODY_BYTES = 16 << 20;
    private static final String MAX_BODY_MIB = (MAX_BODY_BYTES >> 20) + " MiB";
    private static final List<String> MEMBERS = List.of(
        "kind", "text", "schema", "orderingConstraint", "partitionExpression", "active", "mustExist");
    private static final List<String> CONSTRAINTS = List.of("ORDERED", "UNORDERED", "PARTITION_ORDERED");
    /** Codes of a missing rule or processor. */
    private static final Set<String> NOT_THERE = Set.of("SRV-0501", "EPN-0522");
    private static final int MAX_FILE_NAME = 100;
    private static final int OK = 200;
    /** Indexes of path segments. */
    private static final int PROCESSOR = 5;
    private static final int ID = 7;

    private final Management management;

    RuleRoutes(final Management management)
    {
        this.management = management;
    }

    List<Route> routes()
    {
        return List.of(
            new Route("GET", RULES, OK, new Description("Returns the rules of a processor.", ResponseBody.RULES),
                (request, name) ->
                found(() -> management.rules(name, part(request, PROCESSOR)))),
            new Route("PUT", RULE, OK, changing("Adds or replaces a rule.").body("an object with `"
                + String.join("`, `", MEMBERS) + "`; only `text` is required. `kind` is `query` or `view`; "
                + "`mustExist` refuses to add a rule. At most " + MAX_BODY_MIB), this::put),
            new Route("DELETE", RULE, OK, changing("Removes a rule."), (request, name) ->
                change(request, name, "removed", RuleEdits.remove(part(request, ID)))),
            new Route("POST", RULE + "/start", OK, changing("Starts a stopped rule."), (request, name) ->
                change(request, name, "started", RuleEdits.active(part(request, ID), true))),
            new Route("POST", RULE + "/stop", OK, changing("Stops a rule."), (request, name) ->
                change(request, name, "stopped", RuleEdits.active(part(request, ID), false))),
            new Route("PUT", RULE + "/bindings", OK, changing("Replaces the bindings of a rule.").body(
                "an object with the id of each binding and its values, for example "
                    + "`{\"low\": \"10.0,ORCL\"}`. At most " + MAX_BODY_MIB), this::putBindings),
            new Route("GET", FILE, OK, new Description(
                "Returns the rules of a processor as a configuration file.", ResponseBody.RULE_FILE), (request, name) ->
                found(() -> Map.of("file", management.ruleFile(name, part(request, PROCESSOR))))),
            new Route("PUT", FILE, OK, changing("Replaces all rules of a processor.").body(
                "a component configuration file; the header `X-File-Name` names it in messages. At most "
                    + MAX_BODY_MIB), this::upload));
    }

    /** Describes a change of rules. */
    private static Description changing(final String summary)
    {
        return new Description(summary, ResponseBody.RULE_CHANGE).group();
    }

    private static String part(final ManagementRequest request, final int index)
    {
        return request.path().split("/")[index];
    }

    /** Changes the rule in the path. */
    private Object change(final ManagementRequest request, final String name, final String what, final RuleEdit edit)
        throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException
    {
        return changeAll(request, name, "rule " + part(request, ID) + ' ' + what, edit);
    }

    /** Executes a change on this instance or on all members of a group. */
    private Object changeAll(final ManagementRequest request, final String name, final String what, final RuleEdit edit)
        throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException
    {
        final String processor = part(request, PROCESSOR);
        final String group = GroupRequest.group(request);
        return found(() -> group == null ? management.changeRules(name, processor, edit) :
            GroupRequest.run(management, group, (groups, meant) -> groups.change(meant, name,
                what + ", processor " + processor, SettingsEdits.rules(processor, edit))));
    }

    /** An operation on a rule or a processor. */
    @FunctionalInterface
    private interface Work
    {
        Object run() throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException;
    }

    /** Reports a missing rule or processor as 404, like a missing application. */
    private static Object found(final Work work)
        throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException
    {
        try
        {
            return work.run();
        }
        catch (final DeploymentException e)
        {
            final DeploymentException.Problem first = e.problems().get(0);
            if (e.problems().size() == 1 && NOT_THERE.contains(first.code()))
            {
                throw new HttpProblem(HttpProblem.NOT_FOUND, first.code(), first.text(), first.hint());
            }
            throw e;
        }
    }

    private Object put(final ManagementRequest request, final String name)
        throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException
    {
        final RuleBody body = RuleBody.of(content(request));
        body.only(MEMBERS);
        final String id = part(request, ID);
        final boolean view = body.word("kind", List.of("query", "view"), "query").equals("view");
        final String text = body.text("text");
        final Rule rule = new Rule(id, view, text == null ? "" : text, body.texts("schema"),
            body.word("orderingConstraint", CONSTRAINTS, "ORDERED"), body.text("partitionExpression"),
            body.flag("active", true), new SourcePosition("rule " + id, 0, 0));
        return change(request, name, "put", RuleEdits.put(rule, body.flag("mustExist", false)));
    }

    private Object putBindings(final ManagementRequest request, final String name)
        throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException
    {
        return change(request, name, "bound",
            RuleEdits.bindings(part(request, ID), RuleBody.of(content(request)).all()));
    }

    private Object upload(final ManagementRequest request, final String name)
        throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException
    {
        final byte[] content = content(request);
        final String given = request.header("X-File-Name");
        final String clean = given == null ? "uploaded file" : given.replaceAll("[^\\x21-\\x7e]", "_");
        final String fileName = clean.substring(0, Math.min(clean.length(), MAX_FILE_NAME));
        try
        {
            return changeAll(request, name, "rules of " + fileName, RuleEdits.upload(fileName, content));
        }
        catch (final DeploymentException e)
        {
            throw RuleEdits.placed(e, fileName, content);
        }
    }

    private static byte[] content(final ManagementRequest request) throws IOException, HttpProblem
    {
        try (InputStream body = request.body(MAX_BODY_BYTES))
        {
            return body.readAllBytes();
        }
        catch (final LimitedInput.TooLargeException e)
        {
            throw new HttpProblem(HttpProblem.TOO_LARGE, "SRV-0413",
                "body is too large, limitBytes=" + MAX_BODY_BYTES, "split the rules across processors");
        }
    }
}
