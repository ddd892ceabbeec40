package dev.millrace.server.rules;

import dev.millrace.assembly.RuleFiles;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.ProcessorStage.Params;
import dev.millrace.network.definition.ProcessorStage.Rule;
import dev.millrace.network.definition.SourcePosition;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The changes of rules that users can make, and the description of rules for users. Stateless. */
public final class RuleEdits
{
    private static final String NO_RULE = "SRV-0501";
    private static final String NOT_COMPLETE = "SRV-0502";
    private static final String NO_BINDINGS = "SRV-0509";
    private static final String TAKEN = "SRV-0505";

    private RuleEdits()
    {
    }

    /**
     * Adds a rule or replaces the rule with its id. Bindings and idle state time of a replaced rule are kept.
     *
     * @param rule      the rule, without params
     * @param mustExist whether the rule must exist
     */
    public static RuleEdit put(final Rule rule, final boolean mustExist)
    {
        return rules ->
        {
            final List<Rule> written = written(rules);
            final int index = index(written, rule.id());
            if (index < 0 && mustExist)
            {
                throw noRule(rule.id(), written);
            }
            checkComplete(rule);
            if (index < 0)
            {
                written.add(rule);
            }
            else
            {
                final Rule old = written.get(index);
                written.set(index, rule
                    .withIdleStateTime(rule.idleStateTime() == null ? old.idleStateTime() : rule.idleStateTime())
                    .withMaxAttempts(rule.maxAttempts() == null ? old.maxAttempts() : rule.maxAttempts()));
            }
            return bound(written, bindings(rules));
        };
    }

    /** Rejects a rule that could not be read back from a file. */
    private static void checkComplete(final Rule rule) throws DeploymentException
    {
        final boolean partitioned = "PARTITION_ORDERED".equals(rule.orderingConstraint());
        if (rule.text().isBlank())
        {
            throw new DeploymentException(NOT_COMPLETE, place(rule.id()), "the rule is empty, id=" + rule.id(),
                "specify a CQL statement");
        }
        if (!rule.view() && !rule.schema().isEmpty())
        {
            throw new DeploymentException(NOT_COMPLETE, place(rule.id()), "only views have a schema, id=" + rule.id(),
                "name the columns of a query in its SELECT list: select a as b");
        }
        if (partitioned == (rule.partitionExpression() == null))
        {
            throw new DeploymentException(NOT_COMPLETE, place(rule.id()), partitioned ?
                "PARTITION_ORDERED needs a partition expression, id=" + rule.id() :
                "a partition expression has no meaning with " + rule.orderingConstraint() + ", id=" + rule.id(),
                partitioned ? "specify the column by which events are partitioned" :
                    "use PARTITION_ORDERED, or remove it");
        }
        final String all = rule.text() + rule.partitionExpression() + String.join(" ", rule.schema());
        final int bad = all.codePoints().filter(RuleEdits::isNoText).findFirst().orElse(0);
        if (all.indexOf(0) >= 0 || bad != 0)
        {
            throw new DeploymentException(NOT_COMPLETE, place(rule.id()), String.format(Locale.ROOT,
                "the rule has a character that XML files cannot contain, id=%s character=U+%04X", rule.id(), bad),
                "remove it");
        }
    }

    /** Whether XML does not permit a character. */
    private static boolean isNoText(final int c)
    {
        return c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0xFFFE || c == 0xFFFF ||
            c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE;
    }

    /** Removes a rule with its bindings. */
    public static RuleEdit remove(final String id)
    {
        return rules ->
        {
            final List<Rule> written = written(rules);
            written.remove(existing(written, id));
            final Map<String, List<Params>> bindings = bindings(rules);
            bindings.remove(id);
            return bound(written, bindings);
        };
    }

    /** Starts or stops a rule, which stays in the set of rules. */
    public static RuleEdit active(final String id, final boolean active)
    {
        return rules ->
        {
            final List<Rule> written = written(rules);
            final int index = existing(written, id);
            final Rule rule = written.get(index);
            written.set(index, new Rule(rule.id(), rule.view(), rule.text(), rule.schema(),
                rule.orderingConstraint(), rule.partitionExpression(), active, rule.position())
                .withIdleStateTime(rule.idleStateTime()).withMaxAttempts(rule.maxAttempts()));
            return bound(written, bindings(rules));
        };
    }

    /**
     * Replaces the bindings of a query.
     *
     * @param params comma-separated values by id of the params; empty to remove the bindings
     */
    public static RuleEdit bindings(final String id, final Map<String, String> params)
    {
        return rules ->
        {
            final List<Rule> written = written(rules);
            final Rule rule = written.get(existing(written, id));
            if (rule.view())
            {
                throw new DeploymentException(NO_BINDINGS, place(id), "a view has no parameters, id=" + id,
                    "use the placeholders in a query that reads the view, and bind that");
            }
            final Map<String, List<Params>> bindings = bindings(rules);
            bindings.remove(id);
            final List<Rule> one = new ArrayList<>(List.of(rule));
            for (final Map.Entry<String, String> each : params.entrySet())
            {
                bindings.computeIfAbsent(id, query -> new ArrayList<>())
                    .add(new Params(each.getKey(), List.of(each.getValue()), place(id)));
            }
            // Written and parsed again, so that ids and values are checked and split like those in files.
            final String file = RuleFiles.write("rules", bound(one, bindings));
            bindings.remove(id);
            final List<Rule> read = RuleFiles.read("bindings of " + id,
                new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)));
            read.stream().filter(each -> each.params() != null).forEach(
                each -> bindings.computeIfAbsent(id, query -> new ArrayList<>()).add(each.params()));
            return bound(written, bindings);
        };
    }

    /**
     * Replaces all rules with those of a file.
     *
     * @param content a component configuration file
     */
    public static RuleEdit upload(final String fileName, final byte[] content)
    {
        return rules -> RuleFiles.read(fileName, new ByteArrayInputStream(content));
    }

    /** Adds excerpts of an uploaded file to the problems found in its rules. */
    public static DeploymentException placed(
        final DeploymentException failure, final String fileName, final byte[] content)
    {
        final UnaryOperator<DeploymentException.Problem> excerpts =
            RuleFiles.excerpts(fileName, new ByteArrayInputStream(content));
        return new DeploymentException(failure.problems().stream().map(excerpts).toList(), failure.getCause());
    }

    /** Returns the rules as written in a file: once each, without params. */
    private static List<Rule> written(final List<Rule> rules)
    {
        final Map<String, Rule> written = new LinkedHashMap<>();
        rules.forEach(rule -> written.putIfAbsent(RuleFiles.baseId(rule), RuleFiles.unbound(rule)));
        return new ArrayList<>(written.values());
    }

    private static Map<String, List<Params>> bindings(final List<Rule> rules)
    {
        final Map<String, List<Params>> bindings = new LinkedHashMap<>();
        rules.stream().filter(rule -> rule.params() != null).forEach(rule ->
            bindings.computeIfAbsent(RuleFiles.baseId(rule), id -> new ArrayList<>()).add(rule.params()));
        return bindings;
    }

    private static List<Rule> bound(final List<Rule> written, final Map<String, List<Params>> bindings)
        throws DeploymentException
    {
        final List<Rule> rules = new ArrayList<>();
        for (final Rule rule : written)
        {
            final List<Params> params = rule.view() ? null : bindings.get(rule.id());
            if (params == null)
            {
                rules.add(rule);
            }
            else
            {
                params.forEach(each -> rules.add(rule.bound(each)));
            }
        }
        checkIds(rules);
        return rules;
    }

    /** Rejects duplicate ids, also of stopped rules; letter case is ignored. */
    private static void checkIds(final List<Rule> rules) throws DeploymentException
    {
        final Map<String, Rule> seen = new HashMap<>();
        for (final Rule rule : rules)
        {
            final Rule other = seen.putIfAbsent(rule.id().toLowerCase(Locale.ROOT), rule);
            if (other != null)
            {
                throw new DeploymentException(TAKEN, place(rule.id()), "two rules have the same id, id=" + rule.id() +
                    " other=" + other.id(), rule.params() == null && other.params() == null ?
                    "ids are not case-sensitive: use the id " + other.id() + ", or another one" :
                    "a query with bindings has the id ID_PARAMS: rename the params or the other rule");
            }
        }
    }

    private static int index(final List<Rule> rules, final String id)
    {
        for (int i = 0; i < rules.size(); i++)
        {
            if (rules.get(i).id().equals(id))
            {
                return i;
            }
        }
        return -1;
    }

    private static int existing(final List<Rule> rules, final String id) throws DeploymentException
    {
        final int index = index(rules, id);
        if (index < 0)
        {
            throw noRule(id, rules);
        }
        return index;
    }

    private static DeploymentException noRule(final String id, final List<Rule> rules)
    {
        return new DeploymentException(NO_RULE, SourcePosition.NONE, "no such rule, id=" + id,
            "rules of the processor: " + String.join(", ", rules.stream().map(Rule::id).toList()));
    }

    private static SourcePosition place(final String id)
    {
        return new SourcePosition("rule " + id, 0, 0);
    }

    /**
     * Converts rules to plain values.
     *
     * @return one map per rule: id, kind, active, text, schema, orderingConstraint, partitionExpression, bindings
     */
    public static List<Map<String, Object>> maps(final List<Rule> rules)
    {
        final Map<String, List<Params>> bindings = bindings(rules);
        final List<Map<String, Object>> maps = new ArrayList<>();
        for (final Rule rule : written(rules))
        {
            final Map<String, Object> map = new LinkedHashMap<>();
            map.put("id", rule.id());
            map.put("kind", rule.view() ? "view" : "query");
            map.put("active", rule.active());
            map.put("text", rule.text().strip());
            map.put("schema", rule.schema());
            map.put("orderingConstraint", rule.orderingConstraint());
            map.put("partitionExpression", rule.partitionExpression());
            final Map<String, Object> params = new LinkedHashMap<>();
            bindings.getOrDefault(rule.id(), List.of())
                .forEach(each -> params.put(each.id(), String.join(", ", each.values())));
            map.put("bindings", params);
            maps.add(map);
        }
        return maps;
    }
}
