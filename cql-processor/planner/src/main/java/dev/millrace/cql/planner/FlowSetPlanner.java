package dev.millrace.cql.planner;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.language.semantic.CallResolver;
import dev.millrace.cql.language.semantic.PlanningDeadline;
import dev.millrace.cql.language.semantic.SourceInfo;
import dev.millrace.cql.language.syntax.Statement;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.plan.flow.RowType;
import dev.millrace.cql.planner.expression.ExpressionSubstitution;
import dev.millrace.cql.planner.expression.JavaMethodHandles;
import dev.millrace.cql.planner.flow.FlowPlanner;
import dev.millrace.cql.planner.ordering.FlowGroups;
import dev.millrace.cql.planner.ordering.FlowParallelismPlanner;
import dev.millrace.cql.planner.ordering.TwoPhasePlanner;
import dev.millrace.cql.planner.rewrite.CaseToFilterRewrite;
import dev.millrace.cql.planner.rewrite.FilterPushDown;
import dev.millrace.cql.planner.rule.FlowParallelism;
import dev.millrace.cql.planner.rule.FlowRule;
import dev.millrace.cql.planner.rule.OrderingScope;
import dev.millrace.cql.planner.rule.PlannedRule;
import dev.millrace.cql.planner.rule.RuleForm;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.SqlIdentifier;

/** The rules of a processor that are planned as flows: views by name, queries in order. Not thread-safe. */
final class FlowSetPlanner implements FlowPlanner.Sources
{
    private static final Pattern SCAN = Pattern.compile("LogicalTableScan\\(table=\\[\\[s(\\d+)]]\\)");

    private final Catalog catalog;
    private final Function<SqlIdentifier, CqlRuleException> unknown;
    private final Consumer<String> read;
    private final CallResolver calls;
    private final Map<String, FlowRule> views = new HashMap<>();
    private final Map<String, String> ids = new HashMap<>();
    private final Map<String, CqlRuleException> unreadable = new HashMap<>();
    private final Map<String, FlowNode.Source> channels = new LinkedHashMap<>();
    private final Map<FlowNode, FlowNode.Timed> timed = new IdentityHashMap<>();
    private final Map<String, RuleForm> queries = new LinkedHashMap<>();
    private final List<Supplier<String>> logical = new ArrayList<>();
    private final Map<FlowRule, List<List<OrderingScope>>> blocks = new IdentityHashMap<>();
    private final Map<String, FlowParallelism> orders = new HashMap<>();
    private final Map<List<RuleForm>, FlowPlan> plans = new HashMap<>();
    private final RuleSetPlan before;

    /**
     * @param unknown problem of a name that no source has
     * @param read    accepts the names in FROM of the rule that is planned, in lower case
     * @param before  earlier plan over the same catalog whose nodes and flows are reused; {@code null} for none
     */
    FlowSetPlanner(final Catalog catalog, final Function<SqlIdentifier, CqlRuleException> unknown,
        final Consumer<String> read,
        final RuleSetPlan before)
    {
        this.catalog = catalog;
        this.unknown = unknown;
        this.read = read;
        this.before = before;
        if (before != null)
        {
            channels.putAll(before.channels());
            timed.putAll(before.timed());
        }
        calls = new CallResolver(catalog.functions(), catalog.classes(), catalog.cartridges());
    }

    private static String key(final String name)
    {
        return name.toLowerCase(Locale.ROOT);
    }

    /** Plans a rule. */
    FlowRule plan(final RuleText rule, final Statement statement, final PlanningDeadline deadline)
    {
        logical.add(() -> (rule.view() ? "view " : "query ") + rule.id() + '\n');
        final FlowPlanner planner = new FlowPlanner(statement, rule.text(), deadline, this, calls);
        final FlowRule planned = planner.plan();
        final FlowRule named = named(rule, planned);
        blocks.put(named, planner.blocks());
        return named;
    }

    private static FlowRule named(final RuleText rule, final FlowRule planned)
    {
        return rule.schema().size() != planned.names().size() ? planned :
            new FlowRule(rule.schema(), planned.types(), planned.classes(), planned.relation(), planned.stream());
    }

    @Override
    public void logical(final RelNode plan, final List<String> names)
    {
        logical.add(() -> text(plan, names));
    }

    private static String text(final RelNode plan, final List<String> names)
    {
        final StringBuilder text = new StringBuilder();
        RelOptUtil.toString(plan).lines().forEach(line -> text.append("  ").append(SCAN.matcher(line)
            .replaceAll(scan -> Matcher.quoteReplacement("source " + names.get(Integer.parseInt(scan.group(1))))))
            .append('\n'));
        return text.toString();
    }

    /**
     * The logical plans of all select blocks, by rule, for display. Created on demand: printing a plan makes Calcite
     * compile classes, which would delay processors that only run the rules.
     */
    String logical()
    {
        return logical.stream().map(Supplier::get).collect(Collectors.joining());
    }

    /**
     * Determines the order in which a planned rule runs.
     *
     * @throws CqlRuleException if its attributes are wrong, or the rule or a view below it cannot run in that order
     */
    FlowParallelism order(final RuleText rule, final FlowRule flow, final PlanningDeadline deadline)
    {
        final String id = (rule.view() ? "view " : "query ") + rule.id();
        final FlowParallelism order = new FlowParallelismPlanner(rule, flow, blocks.get(flow), deadline, calls)
            .order(node -> owner(node, id));
        views.forEach((name, view) -> agree(id, flow, order, name, view));
        return order;
    }

    /** The rule that a node belongs to: the smallest view that contains it. */
    private String owner(final FlowNode node, final String reader)
    {
        String owner = reader;
        int least = Integer.MAX_VALUE;
        for (final Map.Entry<String, FlowRule> view : views.entrySet())
        {
            final List<FlowNode> nodes = FlowNode.upstream(view.getValue().result());
            if (nodes.size() < least && nodes.stream().anyMatch(each -> each == node))
            {
                owner = "view " + ids.get(view.getKey());
                least = nodes.size();
            }
        }
        return owner;
    }

    /**
     * Checks that a view and a rule that reads it are partitioned by the same value, or that at most one is
     * partitioned.
     */
    private void agree(final String id, final FlowRule flow, final FlowParallelism order, final String name,
        final FlowRule view)
    {
        final FlowParallelism below = orders.get(name);
        if (below == null || below.values().isEmpty() || order.values().isEmpty() ||
            FlowNode.upstream(flow.result()).stream().noneMatch(node -> node == view.result()))
        {
            return;
        }
        below.values().forEach((source, value) ->
        {
            final Expression own = order.values().get(source);
            if (own == null || !ExpressionSubstitution.normal(own).equals(ExpressionSubstitution.normal(value)))
            {
                throw new CqlRuleException(Message.PARTITION_VIEW, null, id, order.expression(), ids.get(name),
                    below.expression());
            }
        });
    }

    /** Stores a planned rule: a view for other rules to read, or a query to run. */
    void add(final RuleForm form)
    {
        final String key = key(form.rule().id());
        if (form.rule().view() && form.flow() != null)
        {
            views.put(key, form.flow());
            ids.put(key, form.rule().id());
        }
        if (form.unreadable() != null)
        {
            unreadable.put(key, form.unreadable());
        }
        if (form.order() != null)
        {
            orders.put(key, form.order());
        }
        if (form.runsAsFlow())
        {
            queries.put(form.rule().id(), form);
        }
    }

    /** Registers a view whose own rule has problems. */
    void broken(final RuleText view)
    {
        views.remove(key(view.id()));
        unreadable.put(key(view.id()), null);
    }

    /** The source or view that a name refers to, given the view of a pipeline with this name. */
    RuleForm.Referent referent(final String name, final PlannedRule pipeline)
    {
        return new RuleForm.Referent(pipeline, views.get(name), unreadable.get(name));
    }

    boolean hasView(final String name)
    {
        return views.containsKey(key(name));
    }

    @Override
    public SourceInfo info(final SqlIdentifier name)
    {
        final String key = key(name.getSimple());
        read.accept(key);
        final FlowRule view = views.get(key);
        if (view != null)
        {
            return new SourceInfo(name.getSimple(),
                view.isStream() ? SourceInfo.Kind.STREAM : SourceInfo.Kind.RELATION, view.columns(), List.of());
        }
        if (unreadable.containsKey(key))
        {
            throw unreadable.get(key) == null ?
                new CqlRuleException(Message.VIEW_IS_WRONG, name.getParserPosition(), name.getSimple()) :
                unreadable.get(key);
        }
        final Catalog.Source found = catalog.find(key);
        if (found == null)
        {
            throw unknown.apply(name);
        }
        final List<SourceInfo.Column> columns = found.type().properties().stream().map(property ->
            new SourceInfo.Column(property.name(), property.type(), classOf(found.type(), property))).toList();
        if (found instanceof Catalog.CacheSource cache)
        {
            return new SourceInfo(cache.name(), SourceInfo.Kind.CACHE, columns, cache.keyProperties());
        }
        if (found instanceof Catalog.TableSource)
        {
            return new SourceInfo(found.name(), SourceInfo.Kind.TABLE, columns, List.of());
        }
        return new SourceInfo(found.name(), ((Catalog.ChannelSource)found).relation() ?
            SourceInfo.Kind.RELATION : SourceInfo.Kind.STREAM, columns, List.of());
    }

    /** The class of a property; for objects of a bean, the class that its getter returns. */
    private static Class<?> classOf(final EventType type, final EventProperty property)
    {
        return property.type() != CqlType.OBJECT || type.beanClass() == null ? property.type().javaClass() :
            JavaMethodHandles.propertyClass(type.beanClass(), property.name());
    }

    @Override
    public List<String> windows()
    {
        return catalog.windows();
    }

    @Override
    public FlowNode node(final SqlIdentifier name)
    {
        final String key = key(name.getSimple());
        read.accept(key);
        final FlowRule view = views.get(key);
        return view != null ? view.result() :
            channels.computeIfAbsent(key, any -> channel((Catalog.ChannelSource)catalog.find(key)));
    }

    @Override
    public FlowNode timedNode(final SqlIdentifier name)
    {
        return timed.computeIfAbsent(node(name), FlowNode.Timed::new);
    }

    private static FlowNode.Source channel(final Catalog.ChannelSource channel)
    {
        final List<EventProperty> properties = channel.type().properties();
        final RowType rows = new RowType(properties.stream().map(EventProperty::name).toList(),
            properties.stream().map(EventProperty::type).toList());
        final List<Integer> primaryKey =
            channel.primaryKey().stream().map(property -> channel.type().indexOf(property)).toList();
        return new FlowNode.Source(channel.name(), channel.type(), rows, channel.relation(), primaryKey,
            channel.time(), channel.silent(), false,
            channel.timeProperty() == null ? -1 : channel.type().indexOf(channel.timeProperty()));
    }

    /**
     * Creates one flow per query, or per group of queries that share a view: a wait in one flow must not delay another.
     */
    List<FlowPlan> assemble(final String processorId)
    {
        final FlowGroups groups = new FlowGroups(views.values().stream().map(FlowRule::result).toList());
        queries.values().forEach(groups::add);
        return groups.all().stream().map(group -> plan(processorId, group)).toList();
    }

    private FlowPlan plan(final String processorId, final List<RuleForm> group)
    {
        final FlowPlan known = before == null ? null : before.flow(group);
        final FlowPlan plan = known == null ? newPlan(processorId, group) : known;
        plans.put(group, plan);
        return plan;
    }

    /**
     * The plan of the processor with the forms of its rules, for the next plan.
     *
     * @param plan contains the result of {@link #assemble}
     * @param used forms of all rules
     */
    RuleSetPlan withForms(final String processorId, final ProcessorPlan plan, final List<RuleForm> used)
    {
        return new RuleSetPlan(processorId, catalog, plan, used, channels, timed, plans, before);
    }

    private static FlowPlan newPlan(final String processorId, final List<RuleForm> group)
    {
        final Set<FlowNode.Source> sources = Collections.newSetFromMap(new IdentityHashMap<>());
        final List<FlowNode.Source> inOrder = new ArrayList<>();
        final List<FlowPlan.Output> outputs = new ArrayList<>();
        for (final RuleForm form : group)
        {
            final FlowRule flow = form.flow();
            final String id = form.rule().id();
            for (final FlowNode node : FlowNode.upstream(flow.result()))
            {
                if (node instanceof FlowNode.Source source && sources.add(source))
                {
                    inOrder.add(source);
                }
            }
            final EventProperty[] properties = new EventProperty[flow.names().size()];
            for (int i = 0; i < properties.length; i++)
            {
                properties[i] = new EventProperty(flow.names().get(i), flow.types().get(i));
            }
            outputs.add(new FlowPlan.Output(id, flow.result(), flow.isStream(),
                EventType.tuple(processorId + '.' + id, properties)));
        }
        final FlowParallelism order = group.get(0).order();
        final FlowPlan plan = new FlowPlan(
            group.stream().map(form -> form.rule().id()).collect(Collectors.joining("_")), inOrder, outputs,
            order.ordering(), order.routes(inOrder));
        final FlowPlan pushed = CaseToFilterRewrite.apply(FilterPushDown.apply(plan));
        // Moved conditions may hide that a join is with the extreme of the same rows.
        return !order.merged() || TwoPhasePlanner.areFound(pushed) ? pushed : plan;
    }
}
