package dev.millrace.cql.planner.flow;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.Query;
import dev.millrace.cql.plan.expression.Expression;
import dev.millrace.cql.plan.expression.Field;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.planner.expression.ExpressionTranslator;
import dev.millrace.cql.planner.rule.FlowRule;
import java.util.ArrayList;
import java.util.List;

/** Plans a set operation over two planned sides; numbers are converted to the wider type. Single use. */
final class SetPlanner
{
    private final Query.SetOperation set;
    private final FlowRule left;
    private final FlowRule right;
    private final List<CqlType> types = new ArrayList<>();

    SetPlanner(final Query.SetOperation set, final FlowRule left, final FlowRule right)
    {
        this.set = set;
        this.left = left;
        this.right = right;
    }

    FlowRule plan()
    {
        if (left.types().size() != right.types().size())
        {
            throw new CqlRuleException(Message.SET_COLUMNS, set.operatorPosition(), name(), left.types().size(),
                right.types().size());
        }
        for (int i = 0; i < left.types().size(); i++)
        {
            types.add(common(left.types().get(i), right.types().get(i), i));
        }
        final FlowNode.SetKind kind = FlowNode.SetKind.valueOf(set.kind().name());
        final FlowNode relation =
            new FlowNode.SetOperation(kind, converted(left.relation()), converted(right.relation()));
        final boolean grows = (kind == FlowNode.SetKind.UNION || kind == FlowNode.SetKind.UNION_ALL) &&
            left.isStream() && right.isStream();
        final FlowNode stream = !grows ? null : kind == FlowNode.SetKind.UNION_ALL ?
            new FlowNode.SetOperation(kind, converted(left.stream()), converted(right.stream())) :
            new FlowNode.ToStream(relation, FlowNode.StreamKind.ISTREAM, List.of());
        final List<Class<?>> classes = new ArrayList<>();
        for (int i = 0; i < types.size(); i++)
        {
            classes.add(left.classes().get(i) == right.classes().get(i) ? left.classes().get(i) :
                types.get(i).javaClass());
        }
        return new FlowRule(left.names(), types, classes, relation, stream);
    }

    private String name()
    {
        return set.kind().name().replace('_', ' ');
    }

    private CqlType common(final CqlType a, final CqlType b, final int column)
    {
        if (a != b && (!a.isNumeric() || !b.isNumeric()))
        {
            throw new CqlRuleException(Message.SET_TYPES, set.operatorPosition(), name(), column + 1, a.cqlName(),
                b.cqlName());
        }
        return a.ordinal() >= b.ordinal() ? a : b;
    }

    private FlowNode converted(final FlowNode side)
    {
        if (side.rows().types().equals(types))
        {
            return side;
        }
        final List<Field> fields = new ArrayList<>();
        for (int i = 0; i < types.size(); i++)
        {
            fields.add(new Field(left.names().get(i), ExpressionTranslator.convert(
                new Expression.Column(i, side.rows().types().get(i), true), types.get(i))));
        }
        return new FlowNode.Calc(side, null, fields);
    }
}
