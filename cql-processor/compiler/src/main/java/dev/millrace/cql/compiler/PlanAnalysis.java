package dev.millrace.cql.compiler;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Expression;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.runtime.DictionaryColumn;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Numbers the operators of a plan, finds the columns that are used and the char columns that share a dictionary. */
final class PlanAnalysis
{
    final List<PlanNode> roots = new ArrayList<>();
    final List<PlanNode> nodes = new ArrayList<>();
    /** Source columns that some operator reads. */
    final BitSet usedSource = new BitSet();

    private final CharDomains domains = new CharDomains();
    /** Domain nodes of char values that are compared, or are keys: what needs ids. */
    private final BitSet compared = new BitSet();
    private final List<Integer> memberNodes = new ArrayList<>();
    private final List<DictionaryColumn> members = new ArrayList<>();

    PlanAnalysis(final PipelinePlan plan)
    {
        final int[] source = domainsOf(plan.sourceType(), DictionaryColumn.Place.SOURCE, null);
        final List<CqlType> types = typesOf(plan.sourceType());
        for (final Operator root : plan.roots())
        {
            roots.add(add(root, types, source, false));
        }
        roots.forEach(root -> usedSource.or(root.findUsed()));
    }

    private static List<CqlType> typesOf(final EventType type)
    {
        return type.properties().stream().map(property -> property.type()).toList();
    }

    private int[] domainsOf(final EventType type, final DictionaryColumn.Place place, final String id)
    {
        final int[] found = new int[type.properties().size()];
        for (int i = 0; i < found.length; i++)
        {
            found[i] = CharDomains.NONE;
            if (type.properties().get(i).type() == CqlType.CHAR)
            {
                found[i] = domains.fresh();
                memberNodes.add(found[i]);
                members.add(new DictionaryColumn(place, id, i));
            }
        }
        return found;
    }

    private PlanNode add(final Operator given, final List<CqlType> inputTypes, final int[] inputDomains,
        final boolean belowPattern)
    {
        final Operator operator = given instanceof Operator.Family family ? family.fused() : given;
        final PlanNode node = new PlanNode(operator, nodes.size() + 1, inputTypes);
        nodes.add(node);
        node.inputDomains = inputDomains;
        if (belowPattern && !(operator instanceof Operator.Output || operator instanceof Operator.Calc ||
            operator instanceof Operator.LookupJoin))
        {
            Arrays.stream(inputDomains).forEach(this::compare);
        }
        if (operator instanceof Operator.Output output)
        {
            checkOutput(output, inputTypes);
            final int[] target = domainsOf(output.type(), DictionaryColumn.Place.OUTPUT, output.queryId());
            for (int i = 0; i < target.length; i++)
            {
                domains.join(inputDomains[i], target[i]);
            }
            return node;
        }
        if (operator.consumers().isEmpty())
        {
            throw new IllegalArgumentException("operator without consumer, please report this plan: " + node.name());
        }
        joinOperator(node, operator, inputDomains);
        node.outputDomains = new int[node.fields().size()];
        for (int i = 0; i < node.outputDomains.length; i++)
        {
            final Expression expression = node.fields().get(i).expression();
            joinWithin(node, expression);
            node.outputDomains[i] = CharDomains.NONE;
            if (expression.type() == CqlType.CHAR)
            {
                final int own = domainOf(node, expression);
                node.outputDomains[i] = own == CharDomains.NONE ? domains.fresh() : own;
            }
        }
        for (final Operator consumer : operator.consumers())
        {
            node.consumers.add(add(consumer, node.outputTypes(), node.outputDomains,
                belowPattern || operator instanceof Operator.FixedPattern));
        }
        return node;
    }

    /** Joins the domains of the columns that an operator compares. */
    private void joinOperator(final PlanNode node, final Operator operator, final int[] inputDomains)
    {
        if (operator instanceof Operator.LookupJoin join)
        {
            node.relationDomains =
                domainsOf(join.relation().type(), DictionaryColumn.Place.RELATION, join.relation().id());
            domains.join(domainOf(node, join.key()), node.relationDomains[join.relation().keyColumn()]);
            Arrays.stream(node.relationDomains).forEach(this::compare);
            joinWithin(node, join.key());
            joinWithin(node, join.condition());
        }
        else if (operator instanceof Operator.GroupedAggregate aggregate)
        {
            addAggregate(node, aggregate.keys(), aggregate.aggregates(), aggregate.having());
        }
        else if (operator instanceof Operator.WindowAggregate aggregate)
        {
            addAggregate(node, aggregate.keys(), aggregate.aggregates(), aggregate.having());
        }
        else if (operator instanceof Operator.KeyedOutputs keyed)
        {
            addAggregate(node, List.of(keyed.key()), keyed.shape() == null ? List.of() : keyed.shape().aggregates(),
                keyed.shape() == null ? null : keyed.shape().having());
        }
        else if (operator instanceof Operator.FixedPattern pattern)
        {
            pattern.conditions().forEach(condition -> joinWithin(node, condition));
            pattern.partitionBy().forEach(column -> compare(inputDomains[column]));
        }
        else if (operator instanceof Operator.SequencePattern pattern)
        {
            addSequence(node, pattern);
        }
        else if (operator instanceof Operator.Calc calc)
        {
            joinWithin(node, calc.condition());
        }
    }

    private void addSequence(final PlanNode node, final Operator.SequencePattern pattern)
    {
        pattern.partitionBy().forEach(column -> compare(node.inputDomains[column]));
        joinWithin(node, pattern.start());
        joinWithin(node, pattern.condition());
    }

    private void addAggregate(final PlanNode node, final List<Expression> keys,
        final List<Operator.Aggregate> aggregates, final Expression having)
    {
        node.keyDomains = new int[keys.size()];
        for (int i = 0; i < node.keyDomains.length; i++)
        {
            joinWithin(node, keys.get(i));
            node.keyDomains[i] = charNode(node, keys.get(i));
            compare(node.keyDomains[i]);
        }
        node.aggregateDomains = new int[aggregates.size()];
        for (int i = 0; i < node.aggregateDomains.length; i++)
        {
            final Expression argument = aggregates.get(i).argument();
            joinWithin(node, argument);
            node.aggregateDomains[i] = argument == null ? CharDomains.NONE : charNode(node, argument);
            compare(node.aggregateDomains[i]);
        }
        joinWithin(node, having);
    }

    private int charNode(final PlanNode node, final Expression expression)
    {
        final int own = domainOf(node, expression);
        return own == CharDomains.NONE && expression.type() == CqlType.CHAR ? domains.fresh() : own;
    }

    private static void checkOutput(final Operator.Output output, final List<CqlType> inputTypes)
    {
        if (!typesOf(output.type()).equals(inputTypes))
        {
            throw new IllegalArgumentException("output type does not fit its rows, please report this plan: query=" +
                output.queryId() + " type=" + output.type() + " rows=" + inputTypes);
        }
    }

    /** Comparisons below an expression join the domains of their operands. */
    private void joinWithin(final PlanNode node, final Expression expression)
    {
        PlanNode.walk(expression, each ->
        {
            if (each instanceof Expression.Call call && call.arguments().size() == 2 &&
                call.arguments().get(0).type() == CqlType.CHAR)
            {
                domains.join(domainOf(node, call.arguments().get(0)), domainOf(node, call.arguments().get(1)));
                call.arguments().forEach(argument -> compare(domainOf(node, argument)));
            }
        });
    }

    /** The domain node of a char leaf; none for a literal. */
    static int domainOf(final PlanNode node, final Expression expression)
    {
        if (expression.type() != CqlType.CHAR)
        {
            return CharDomains.NONE;
        }
        if (expression instanceof Expression.Column column)
        {
            return node.inputDomains[column.column()];
        }
        if (expression instanceof Expression.PriorColumn column)
        {
            return node.inputDomains[column.column()];
        }
        if (expression instanceof Expression.RelationColumn column)
        {
            return node.relationDomains[column.column()];
        }
        if (expression instanceof Expression.KeyValue key)
        {
            return node.keyDomains[key.key()];
        }
        return expression instanceof Expression.AggregateValue value ?
            node.aggregateDomains[value.aggregate()] : CharDomains.NONE;
    }

    private void compare(final int domainNode)
    {
        if (domainNode != CharDomains.NONE)
        {
            compared.set(domainNode);
        }
    }

    /** Whether the values of a domain are only carried: whoever keeps one needs its text and nothing else. */
    boolean isCarried(final int domainNode)
    {
        return compared.stream().noneMatch(node -> domains.root(node) == domains.root(domainNode));
    }

    /** The class of a domain node, and the columns that belong to it. */
    int root(final int domainNode)
    {
        return domains.root(domainNode);
    }

    DictionaryColumn[] members(final int root)
    {
        final Map<Integer, List<DictionaryColumn>> byRoot = new HashMap<>();
        for (int i = 0; i < members.size(); i++)
        {
            byRoot.computeIfAbsent(domains.root(memberNodes.get(i)), key -> new ArrayList<>()).add(members.get(i));
        }
        return byRoot.getOrDefault(root, Arrays.asList()).toArray(new DictionaryColumn[0]);
    }
}
