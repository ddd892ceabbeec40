package dev.millrace.cql.planner;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.problem.Suggestions;
import dev.millrace.cql.language.semantic.LogicalStatement;
import dev.millrace.cql.language.semantic.PlanningDeadline;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.semantic.StatementAnalyzer;
import dev.millrace.cql.language.syntax.SimpleStatement;
import dev.millrace.cql.language.syntax.Statement;
import dev.millrace.cql.language.syntax.StatementParser;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.expression.OrderingConstraint;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.planner.ordering.OrderingRules;
import dev.millrace.cql.planner.pipeline.FlowFuser;
import dev.millrace.cql.planner.pipeline.PipelineAssembler;
import dev.millrace.cql.planner.pipeline.PipelinePlanner;
import dev.millrace.cql.planner.pipeline.SequenceFuser;
import dev.millrace.cql.planner.rule.ColumnOrigin;
import dev.millrace.cql.planner.rule.FlowRule;
import dev.millrace.cql.planner.rule.LogicalRules;
import dev.millrace.cql.planner.rule.PlannedRule;
import dev.millrace.cql.planner.rule.RuleForm;
import dev.millrace.cql.planner.rule.RulePipeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.SqlIdentifier;

/**
 * Plans the rules of one processor in sequence, and collects their problems. Reuses the forms of rules that an earlier
 * plan contains and that read the same views. Single use, not thread-safe.
 */
final class RuleSetPlanner
{
    private static final Pattern ID = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$#]*");

    private final List<RuleText> rules;
    private final Catalog catalog;
    private final long deadlineMs;
    private final Map<String, PlannedRule> views = new HashMap<>();
    private final Map<String, RuleText> seen = new HashMap<>();
    private final List<PlannedRule> planned = new ArrayList<>();
    private final List<RuleForm> forms = new ArrayList<>();
    private final FlowSetPlanner flows;
    private final RuleSetPlan before;
    private final Predicate<RuleText> flowsOnly;
    private final List<CqlProblem> problems = new ArrayList<>();
    private Throwable failure;
    /** The form of the rule that is being planned. */
    private RuleForm form;

    /**
     * @param before earlier plan of the same processor over the same catalog; {@code null} to plan all rules
     */
    RuleSetPlanner(
        final List<RuleText> rules, final Catalog catalog, final long deadlineMs,
        final Predicate<RuleText> flowsOnly, final RuleSetPlan before)
    {
        this.flowsOnly = flowsOnly;
        this.before = before;
        flows = new FlowSetPlanner(catalog, this::unknownSource, this::read, before);
        this.rules = rules;
        this.catalog = catalog;
        this.deadlineMs = deadlineMs;
    }

    RuleSetPlan plan(final String processorId) throws CqlException
    {
        for (final RuleText rule : rules)
        {
            final int known = problems.size();
            guarded(rule, () -> plan(rule));
            if (rule.view() && problems.size() > known)
            {
                views.put(rule.id().toLowerCase(Locale.ROOT), null);
                flows.broken(rule);
            }
        }
        if (!problems.isEmpty())
        {
            throw new CqlException(problems, failure);
        }
        final List<ProcessorPlan> result = new ArrayList<>();
        guarded(rules.isEmpty() ? RuleText.query(processorId, "") : rules.get(0), () ->
            result.add(new ProcessorPlan(new PipelineAssembler(processorId).assemble(planned),
                flows.assemble(processorId))));
        if (result.isEmpty())
        {
            throw new CqlException(problems, failure);
        }
        return flows.withForms(processorId, result.get(0), forms);
    }

    /** The logical plans of the rules that are flows, for display. */
    String logical()
    {
        return flows.logical();
    }

    /** The problems found so far. */
    List<CqlProblem> problems()
    {
        return problems;
    }

    /** Runs a task: a refusal becomes a problem of the rule, any other failure becomes an internal error. */
    void guarded(final RuleText rule, final Runnable work)
    {
        try
        {
            work.run();
        }
        catch (final CqlRuleException refusal)
        {
            problems.add(refusal.problemOf(rule));
        }
        catch (final StackOverflowError tooDeep)
        {
            problems.add(new CqlRuleException(Message.TOO_DEEP, null, Message.MAX_NESTING).problemOf(rule));
        }
        catch (final RuntimeException | AssertionError | LinkageError mistake)
        {
            if (isTooDeep(mistake))
            {
                problems.add(new CqlRuleException(Message.TOO_DEEP, null, Message.MAX_NESTING).problemOf(rule));
                return;
            }
            failure = mistake;
            problems.add(new CqlRuleException(Message.INTERNAL, null, UUID.randomUUID()).problemOf(rule));
        }
    }

    /** Calcite wraps exceptions that are thrown in calls of CQL operators. */
    private static boolean isTooDeep(final Throwable failure)
    {
        Throwable cause = failure;
        while (cause != null && !(cause instanceof StackOverflowError))
        {
            cause = cause.getCause();
        }
        return cause != null;
    }

    private void plan(final RuleText rule)
    {
        final boolean asFlow = flowsOnly.test(rule);
        form = before == null ? null : before.form(rule, asFlow);
        if (!checkId(rule, form != null))
        {
            return;
        }
        if (form == null || !form.isCurrent(this::referent))
        {
            final int known = problems.size();
            form = new RuleForm(rule, asFlow);
            planForm(rule);
            if (problems.size() > known)
            {
                return;
            }
        }
        forms.add(form);
        flows.add(form);
        if (form.pipeline() != null)
        {
            planned.add(form.pipeline());
            if (rule.view())
            {
                views.put(rule.id().toLowerCase(Locale.ROOT), form.pipeline());
            }
        }
    }

    private void read(final String name)
    {
        form.read(name, referent(name));
    }

    private RuleForm.Referent referent(final String name)
    {
        return flows.referent(name, views.get(name));
    }

    private void planForm(final RuleText rule)
    {
        final PlanningDeadline deadline = new PlanningDeadline(deadlineMs);
        final Statement parsed = StatementParser.parse(rule);
        if (!form.asFlow() && planPipeline(rule, parsed, deadline))
        {
            if (rule.view())
            {
                tryFlow(rule, parsed, deadline);
            }
            return;
        }
        final FlowRule flow = flows.plan(rule, parsed, deadline);
        final CqlRuleException schema = rule.schema().isEmpty() ? null : schemaProblem(rule, flow.names().size());
        if (schema != null)
        {
            problems.add(schema.problemOf(rule, "schema", String.join(" ", rule.schema())));
            return;
        }
        try
        {
            form.order(flows.order(rule, flow, deadline));
        }
        catch (final CqlRuleException refusal)
        {
            problems.add(OrderingRules.problem(rule, refusal));
            return;
        }
        form.flow(flow, !rule.view() && !fuse(rule, flow));
    }

    /** Whether a query that was planned as a flow can be converted to a pipeline. */
    private boolean fuse(final RuleText rule, final FlowRule flow)
    {
        if (form.asFlow() || OrderingRules.constraint(rule) != OrderingConstraint.ORDERED)
        {
            return false;
        }
        final FlowFuser.Fused groups = FlowFuser.fuse(flow);
        final FlowFuser.Fused fused = groups == null ? SequenceFuser.fuse(flow) : groups;
        if (fused == null)
        {
            return false;
        }
        form.pipeline(new PlannedRule(rule, fused.flow(), fused.source().name(), fused.source().type(), null,
            OrderingConstraint.ORDERED, -1));
        return true;
    }

    /** A view that runs as a pipeline may also be read by a flow. */
    private void tryFlow(final RuleText rule, final Statement parsed, final PlanningDeadline deadline)
    {
        try
        {
            final FlowRule flow = flows.plan(rule, parsed, deadline);
            form.flow(flow, false);
            orderFlow(rule, flow, deadline);
        }
        catch (final CqlRuleException onlyPipeline)
        {
            form.unreadable(onlyPipeline);
        }
    }

    /** Problems with the order of a view that is a pipeline have already been reported. */
    private void orderFlow(final RuleText rule, final FlowRule flow, final PlanningDeadline deadline)
    {
        try
        {
            form.order(flows.order(rule, flow, deadline));
        }
        catch (final CqlRuleException known)
        {
            return;
        }
    }

    /** Whether the rule runs as a pipeline; problems are recorded or thrown. */
    private boolean planPipeline(final RuleText rule, final Statement parsed, final PlanningDeadline deadline)
    {
        try
        {
            analyzePipeline(rule, parsed, deadline);
            return true;
        }
        catch (final CqlRuleException refusal)
        {
            // A name that is not a source may be a Java name, and ELEMENT_TIME is not a column: flows support both.
            if (refusal.message() == Message.NOT_AVAILABLE || refusal.message() == Message.UNKNOWN_QUALIFIER ||
                refusal.message() == Message.NEEDS_STREAM)
            {
                return false;
            }
            throw refusal;
        }
    }

    private void analyzePipeline(final RuleText rule, final Statement parsed, final PlanningDeadline deadline)
    {
        final LogicalStatement statement = StatementAnalyzer.analyze(
            SimpleStatement.of(parsed), rule.text(), this::source, deadline);
        final int stream = streamOf(statement);
        final SourceInfo source = statement.sources().get(stream);
        final PlannedRule view = views.get(source.name().toLowerCase(Locale.ROOT));
        final Catalog.ChannelSource channel =
            view == null ? (Catalog.ChannelSource) catalog.find(source.name()) : null;
        final List<ColumnOrigin> input = view == null ? lineageOf(channel) : view.flow().lineage();
        final RelNode logical = LogicalRules.apply(statement.plan());
        deadline.check();
        final CqlRuleException schema = rule.schema().isEmpty() ? null : schemaProblem(rule, statement.names().size());
        if (schema != null)
        {
            problems.add(schema.problemOf(rule, "schema", String.join(" ", rule.schema())));
            return;
        }
        final RulePipeline flow = new PipelinePlanner(statement, input, cacheType(statement))
            .build(logical, rule.schema().isEmpty() ? statement.names() : rule.schema());
        deadline.check();
        try
        {
            final OrderingConstraint constraint = OrderingRules.constraint(rule);
            final String channelName = view == null ? channel.name() : view.channel();
            final PlannedRule result = new PlannedRule(rule, flow, channelName,
                view == null ? channel.type() : view.channelType(), view, constraint,
                OrderingRules.partitionColumn(rule, constraint, source, statement.aliases().get(stream), input));
            checkOrder(result);
            for (PlannedRule below = result; below != null; below = below.view())
            {
                OrderingRules.check(result, below);
            }
            form.pipeline(result);
        }
        catch (final CqlRuleException refusal)
        {
            if (refusal.message() == Message.NOT_AVAILABLE)
            {
                throw refusal;
            }
            problems.add(OrderingRules.problem(rule, refusal));
        }
    }

    /**
     * A flow emits matches of one instant in the order of their first rows; a pipeline would emit them in the order of
     * their last rows.
     */
    private void checkOrder(final PlannedRule rule)
    {
        if (rule.ordering() == OrderingConstraint.ORDERED && rule.flow().isMixingPartitions() &&
            ((Catalog.ChannelSource)catalog.find(rule.channel())).time() == FlowNode.TimeKind.APPLICATION)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, null, "a partitioned pattern over times that repeat", "");
        }
    }

    private boolean checkId(final RuleText rule, final boolean isIdentifier)
    {
        if (!isIdentifier && !ID.matcher(rule.id()).matches())
        {
            problems.add(new CqlRuleException(Message.BAD_ID, null, "'" + rule.id() + "'").problemOf(rule, "id",
                rule.id()));
            return false;
        }
        final String key = rule.id().toLowerCase(Locale.ROOT);
        final RuleText other = seen.putIfAbsent(key, rule);
        if (other != null)
        {
            problems.add(duplicate(rule, other.view() ? "view" : "query"));
            return false;
        }
        if (catalog.find(rule.id()) != null)
        {
            problems.add(duplicate(rule,
                catalog.find(rule.id()) instanceof Catalog.CacheSource ? "cache" :
                catalog.find(rule.id()) instanceof Catalog.TableSource ? "table" : "channel"));
            return false;
        }
        return true;
    }

    private static CqlProblem duplicate(final RuleText rule, final String owner)
    {
        return new CqlRuleException(Message.DUPLICATE_ID, null, rule.id(), owner).problemOf(rule, "id", rule.id());
    }

    private static int streamOf(final LogicalStatement statement)
    {
        for (int i = 0; i < statement.sources().size(); i++)
        {
            if (statement.sources().get(i).kind() == SourceInfo.Kind.STREAM)
            {
                return i;
            }
        }
        throw new IllegalStateException("statement without stream");
    }

    private EventType cacheType(final LogicalStatement statement)
    {
        for (final SourceInfo source : statement.sources())
        {
            if (source.kind() == SourceInfo.Kind.CACHE)
            {
                return catalog.find(source.name()).type();
            }
        }
        return null;
    }

    private static List<ColumnOrigin> lineageOf(final Catalog.ChannelSource channel)
    {
        final List<ColumnOrigin> lineage = new ArrayList<>();
        for (int i = 0; i < channel.type().properties().size(); i++)
        {
            lineage.add(new ColumnOrigin(channel.type(), channel.type().properties().get(i).name(), i));
        }
        return lineage;
    }

    private static CqlRuleException schemaProblem(final RuleText rule, final int columns)
    {
        if (rule.schema().size() != columns)
        {
            return new CqlRuleException(Message.SCHEMA_SIZE, null, rule.schema().size(), columns);
        }
        for (int i = 0; i < columns; i++)
        {
            for (int j = 0; j < i; j++)
            {
                if (rule.schema().get(i).equalsIgnoreCase(rule.schema().get(j)))
                {
                    return new CqlRuleException(Message.DUPLICATE_COLUMN, null, rule.schema().get(i));
                }
            }
        }
        return null;
    }

    private SourceInfo source(final SqlIdentifier name)
    {
        final String key = name.getSimple().toLowerCase(Locale.ROOT);
        read(key);
        if (!views.containsKey(key) && flows.hasView(key))
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, name.getParserPosition(), "a view that is a flow", "");
        }
        if (views.containsKey(key))
        {
            final PlannedRule view = views.get(key);
            if (view == null)
            {
                throw new CqlRuleException(Message.VIEW_IS_WRONG, name.getParserPosition(), name.getSimple());
            }
            final List<SourceInfo.Column> columns = new ArrayList<>();
            for (int i = 0; i < view.flow().names().size(); i++)
            {
                columns.add(new SourceInfo.Column(view.flow().names().get(i), view.flow().types().get(i)));
            }
            return new SourceInfo(view.rule().id(), view.flow().kind() == RulePipeline.Kind.STREAM
                ? SourceInfo.Kind.STREAM : SourceInfo.Kind.RELATION, columns, List.of());
        }
        final Catalog.Source found = catalog.find(key);
        if (found == null)
        {
            throw unknownSource(name);
        }
        final List<SourceInfo.Column> columns = found.type().properties().stream()
            .map(property -> new SourceInfo.Column(property.name(), property.type())).toList();
        if (found instanceof Catalog.CacheSource cache)
        {
            if (cache.loads())
            {
                throw new CqlRuleException(Message.NOT_AVAILABLE, name.getParserPosition(), "a cache that loads keys",
                    "");
            }
            return new SourceInfo(cache.name(), SourceInfo.Kind.CACHE, columns, cache.keyProperties());
        }
        if (found instanceof Catalog.TableSource)
        {
            throw new CqlRuleException(Message.NOT_AVAILABLE, name.getParserPosition(), "a table in a pipeline", "");
        }
        return new SourceInfo(found.name(), ((Catalog.ChannelSource) found).relation()
            ? SourceInfo.Kind.RELATION : SourceInfo.Kind.STREAM, columns, List.of());
    }

    private CqlRuleException unknownSource(final SqlIdentifier name)
    {
        final List<String> known = new ArrayList<>();
        catalog.sources().forEach(source -> known.add(source.name()));
        for (final RuleText rule : rules)
        {
            if (rule.view() && rule.id().equalsIgnoreCase(name.getSimple()))
            {
                return new CqlRuleException(Message.VIEW_DECLARED_LATER, name.getParserPosition(), rule.id());
            }
        }
        seen.values().stream().filter(RuleText::view).forEach(view -> known.add(view.id()));
        return new CqlRuleException(Message.UNKNOWN_SOURCE, name.getParserPosition(), name.getSimple(),
            known.isEmpty() ? "none" : String.join(", ", known))
            .withHint(Suggestions.didYouMean(name.getSimple(), known));
    }
}
