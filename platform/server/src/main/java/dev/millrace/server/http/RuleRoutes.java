package dev.millrace.server.http;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.sun.net.httpserver.HttpExchange;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import dev.millrace.server.http.Management.NoSuchApplicationException;
import dev.millrace.server.http.ManagementEndpoint.Route;
import dev.millrace.server.rules.RuleEdit;
import dev.millrace.server.rules.RuleEdits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The paths below a processor: its rules, and changes of them. Safe for all threads. */
final class RuleRoutes
{
    private static final String RULES = "/wlevs/apps/NAME/processors/NAME/rules";
    private static final String RULE = RULES + "/RULE";
    private static final String FILE = "/wlevs/apps/NAME/processors/NAME/rule-file";
    private static final int MAX_BODY_BYTES = 16 << 20;
    private static final int OK = 200;
    /** Places in a path that is split at its slashes. */
    private static final int PROCESSOR = 5;
    private static final int ID = 7;

    private final Management management;
    private final Gson gson = new Gson();

    RuleRoutes(final Management management)
    {
        this.management = management;
    }

    List<Route> routes()
    {
        return List.of(
            new Route("GET", RULES, OK, (exchange, name) -> management.rules(name, part(exchange, PROCESSOR))),
            new Route("PUT", RULE, OK, this::put),
            new Route("DELETE", RULE, OK, (exchange, name) ->
                change(exchange, name, RuleEdits.remove(part(exchange, ID)))),
            new Route("POST", RULE + "/start", OK, (exchange, name) ->
                change(exchange, name, RuleEdits.active(part(exchange, ID), true))),
            new Route("POST", RULE + "/stop", OK, (exchange, name) ->
                change(exchange, name, RuleEdits.active(part(exchange, ID), false))),
            new Route("PUT", RULE + "/bindings", OK, this::putBindings),
            new Route("GET", FILE, OK, (exchange, name) ->
                Map.of("file", management.ruleFile(name, part(exchange, PROCESSOR)))),
            new Route("PUT", FILE, OK, this::upload));
    }

    private static String part(final HttpExchange exchange, final int index)
    {
        return exchange.getRequestURI().getPath().split("/")[index];
    }

    private Object change(final HttpExchange exchange, final String name, final RuleEdit edit)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        return management.changeRules(name, part(exchange, PROCESSOR), edit);
    }

    private Object put(final HttpExchange exchange, final String name)
        throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException
    {
        final JsonObject body = json(exchange);
        final List<String> schema = new ArrayList<>();
        if (body.get("schema") instanceof JsonArray names)
        {
            names.forEach(column -> schema.add(column.getAsString()));
        }
        final String ordering = text(body, "orderingConstraint");
        final String id = part(exchange, ID);
        final Rule rule = new Rule(id, "view".equals(text(body, "kind")), text(body, "text") == null ? "" :
            text(body, "text"), schema, ordering == null ? "ORDERED" : ordering, text(body, "partitionExpression"),
            !"false".equals(text(body, "active")), new SourcePosition("rule " + id, 0, 0));
        return change(exchange, name, RuleEdits.put(rule, "true".equals(text(body, "mustExist"))));
    }

    private Object putBindings(final HttpExchange exchange, final String name)
        throws IOException, HttpProblem, NoSuchApplicationException, DeploymentException
    {
        final Map<String, String> params = new LinkedHashMap<>();
        json(exchange).entrySet().forEach(each -> params.put(each.getKey(), each.getValue().getAsString()));
        return change(exchange, name, RuleEdits.bindings(part(exchange, ID), params));
    }

    private Object upload(final HttpExchange exchange, final String name)
        throws IOException, NoSuchApplicationException, DeploymentException
    {
        final byte[] content = new LimitedInput(exchange.getRequestBody(), MAX_BODY_BYTES).readAllBytes();
        final String given = exchange.getRequestHeaders().getFirst("X-File-Name");
        final String fileName = given == null ? "uploaded file" : given;
        try
        {
            return change(exchange, name, RuleEdits.upload(fileName, content));
        }
        catch (final DeploymentException e)
        {
            throw RuleEdits.placed(e, fileName, content);
        }
    }

    private JsonObject json(final HttpExchange exchange) throws IOException, HttpProblem
    {
        final byte[] content = new LimitedInput(exchange.getRequestBody(), MAX_BODY_BYTES).readAllBytes();
        try
        {
            final JsonObject body = gson.fromJson(new String(content, StandardCharsets.UTF_8), JsonObject.class);
            if (body != null)
            {
                return body;
            }
        }
        catch (final JsonParseException e)
        {
            throw new HttpProblem(HttpProblem.BAD_REQUEST, "SRV-0504", "body is not JSON, reason=" + e.getMessage(),
                "send an object, for example {\"text\": \"select ...\"}");
        }
        throw new HttpProblem(HttpProblem.BAD_REQUEST, "SRV-0504", "body is empty",
            "send an object, for example {\"text\": \"select ...\"}");
    }

    private static String text(final JsonObject body, final String name)
    {
        final JsonElement value = body.get(name);
        return value == null || value.isJsonNull() ? null : value.getAsString();
    }
}
