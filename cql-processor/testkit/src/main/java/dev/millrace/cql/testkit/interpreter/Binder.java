package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Aggregates;
import dev.millrace.cql.testkit.interpreter.syntax.Expr;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import dev.millrace.cql.testkit.interpreter.syntax.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Assigns types to expressions and makes them executable. */
class Binder
{
    private final Scope scope;
    private final Windows windows;
    private final List<TypedExpression> aggregated = new ArrayList<>();

    Binder(final Scope scope)
    {
        this(scope, null);
    }

    /** With the only window of FROM. */
    Binder(final Scope scope, final Windows windows)
    {
        this.scope = scope;
        this.windows = windows;
    }

    /**
     * Filters and arguments of the aggregates bound so far. A row for which one of them cannot be evaluated is
     * rejected. The list grows with each aggregate that is bound.
     */
    final List<TypedExpression> aggregated()
    {
        return aggregated;
    }

    static boolean hasAggregate(final Expr expr)
    {
        return expr instanceof Expr.Call call && Aggregates.NAMES.contains(call.name())
            || Expr.parts(expr).stream().anyMatch(Binder::hasAggregate);
    }

    final TypedExpression condition(final Expr expr)
    {
        final TypedExpression typed = bind(expr, false);
        if (typed.type() != Type.BOOLEAN && typed.type() != Type.NULL)
        {
            throw new InvalidStatementException("a condition is needed");
        }
        return typed;
    }

    final TypedExpression bind(final Expr expr, final boolean inAggregate)
    {
        if (expr instanceof Expr.Lit lit)
        {
            return new TypedExpression(lit.type(), env -> lit.value(), lit.open() ? lit : null);
        }
        if (expr instanceof Expr.Col col)
        {
            return column(col);
        }
        if (expr instanceof Expr.Neg neg)
        {
            return negative(neg, inAggregate);
        }
        if (expr instanceof Expr.Arith arith)
        {
            return arithmetic(arith.sign(), bind(arith.left(), inAggregate), bind(arith.right(), inAggregate));
        }
        if (expr instanceof Expr.Case choice)
        {
            return choice(choice, inAggregate);
        }
        if (expr instanceof Expr.Call call)
        {
            return call(call, inAggregate);
        }
        if (expr instanceof Expr.Filtered filtered)
        {
            return filtered(filtered, inAggregate);
        }
        if (expr instanceof Expr.Final whole)
        {
            return whole(whole);
        }
        if (expr instanceof Expr.RowNumber)
        {
            return new TypedExpression(Type.BIGINT, env -> env.number);
        }
        if (expr instanceof Expr.Star)
        {
            throw new InvalidStatementException("* is only an argument of count");
        }
        return new Conditions(part -> bind(part, inAggregate)).bind(expr);
    }

    TypedExpression whole(final Expr.Final whole)
    {
        throw new InvalidStatementException("FINAL is only in MEASURES");
    }

    TypedExpression column(final Expr.Col col)
    {
        final Scope.Place place = scope.find(col.qualifier(), col.name());
        final int index = place.index();
        return new TypedExpression(place.type(), env -> env.row[index]);
    }

    private TypedExpression negative(final Expr.Neg neg, final boolean inAggregate)
    {
        if (neg.operand() instanceof Expr.Lit lit && lit.value() != null && lit.type().isNumber())
        {
            final Object value = Values.arithmetic('*', lit.type(), lit.value(), Values.cast(-1, Type.INT, lit.type()));
            return bind(new Expr.Lit(value, lit.type(), lit.open()), inAggregate);
        }
        final TypedExpression operand = bind(neg.operand(), inAggregate);
        final Type type = operand.type();
        if (!type.isNumber() && type != Type.NULL && type != Type.INTERVAL)
        {
            throw new InvalidStatementException("minus " + type);
        }
        final Type counted = type == Type.INTERVAL ? Type.BIGINT : type;
        return new TypedExpression(type, env -> {
            final Object value = operand.eval().of(env);
            return value == null ? null
                : Values.arithmetic('*', counted, value, Values.cast(-1, Type.INT, counted));
        });
    }

    static TypedExpression arithmetic(final String sign, final TypedExpression a, final TypedExpression b)
    {
        if (sign.equals("||"))
        {
            return Functions.concat(a, b);
        }
        final Type type = arithmeticType(sign, a.type(), b.type());
        if (type == Type.NULL)
        {
            return TypedExpression.constant(null, Type.NULL);
        }
        final char operation = sign.charAt(0);
        final TypedExpression left;
        final TypedExpression right;
        final Type computed;
        if (type.isNumber())
        {
            final List<TypedExpression> both = TypedExpression.alike(List.of(a, b));
            left = both.get(0);
            right = both.get(1);
            computed = left.type();
        }
        else
        {
            left = a.type() == Type.CHAR ? a.to(Type.TIMESTAMP) : a;
            right = b.type() == Type.CHAR ? b.to(Type.TIMESTAMP) : b;
            computed = Type.BIGINT;
        }
        return new TypedExpression(type.isNumber() ? computed : type, env -> {
            final Object x = left.eval().of(env);
            final Object y = right.eval().of(env);
            return x == null || y == null ? null : Values.arithmetic(operation, computed, x, y);
        });
    }

    private static Type arithmeticType(final String sign, final Type a, final Type b)
    {
        if (a == Type.NULL || b == Type.NULL)
        {
            return a == Type.NULL ? b : a;
        }
        if (a.isNumber() && b.isNumber())
        {
            return Type.wider(a, b);
        }
        final boolean minus = sign.equals("-");
        if (minus && a == Type.TIMESTAMP && b == Type.TIMESTAMP)
        {
            return Type.INTERVAL;
        }
        if (minus || sign.equals("+"))
        {
            if (a == Type.TIMESTAMP && b == Type.INTERVAL || !minus && a == Type.INTERVAL && b == Type.TIMESTAMP)
            {
                return Type.TIMESTAMP;
            }
            if (a == Type.INTERVAL && b == Type.INTERVAL)
            {
                return Type.INTERVAL;
            }
        }
        throw new InvalidStatementException("type error: " + a + " " + sign + " " + b);
    }

    private TypedExpression choice(final Expr.Case choice, final boolean inAggregate)
    {
        final List<TypedExpression> conditions =
            choice.conditions().stream().map(part -> bind(part, inAggregate)).toList();
        final List<TypedExpression> results = new ArrayList<>();
        choice.results().forEach(part -> results.add(bind(part, inAggregate)));
        results.add(bind(choice.otherwise(), inAggregate));
        final List<TypedExpression> alike = TypedExpression.alike(results);
        return new TypedExpression(alike.get(0).type(), env -> {
            for (int i = 0; i < conditions.size(); i++)
            {
                if (conditions.get(i).holds(env))
                {
                    return alike.get(i).eval().of(env);
                }
            }
            return alike.get(alike.size() - 1).eval().of(env);
        });
    }

    TypedExpression call(final Expr.Call call, final boolean inAggregate)
    {
        if (Aggregates.NAMES.contains(call.name()))
        {
            if (inAggregate)
            {
                throw new InvalidStatementException("nested aggregates");
            }
            return aggregate(call, null);
        }
        if (call.distinct())
        {
            throw new InvalidStatementException("distinct in " + call.name());
        }
        return Functions.call(call.name(), call.arguments().stream().map(part -> bind(part, inAggregate)).toList());
    }

    private TypedExpression filtered(final Expr.Filtered filtered, final boolean inAggregate)
    {
        if (inAggregate || !Aggregates.NAMES.contains(filtered.call().name()) || hasAggregate(filtered.condition()))
        {
            throw new InvalidStatementException("a filter belongs to an aggregate and contains none");
        }
        return aggregate(filtered.call(), filtered.condition());
    }

    /** An aggregate over all rows, or over those for which a condition is true. */
    TypedExpression aggregate(final Expr.Call written, final Expr filter)
    {
        if (written.name().startsWith("window_"))
        {
            return bound(written, filter);
        }
        final TypedExpression counts = filter == null ? TypedExpression.constant(true, Type.BOOLEAN) :
            condition(filter);
        final Expr.Call call = Aggregates.plainCall(written);
        if (call.arguments().size() != 1)
        {
            throw new InvalidStatementException(call.name() + " takes one argument");
        }
        if (call.arguments().get(0) instanceof Expr.Star star)
        {
            if (!call.name().equals("count") || star.qualifier() != null || call.distinct())
            {
                throw new InvalidStatementException(call.name() + "(*)");
            }
            aggregated.add(counts);
            return new TypedExpression(Type.BIGINT, env -> (long)counted(env.group, counts).size());
        }
        final TypedExpression argument = bind(call.arguments().get(0), true);
        final Type type = Aggregates.type(call.name(), argument.type());
        aggregated.add(new TypedExpression(argument.type(), env -> counts.holds(env) ? argument.eval().of(env) : null));
        return new TypedExpression(type, env -> {
            final Env inner = new Env();
            final List<Object> values = new ArrayList<>();
            for (final Object[] row : counted(env.group, counts))
            {
                inner.row = row;
                final Object value = argument.eval().of(inner);
                if (value != null)
                {
                    values.add(value);
                }
            }
            return Aggregates.fold(written, type, call.distinct() ? Row.distinct(values) : values);
        });
    }

    /** A bound of the window whose rows are grouped. */
    private TypedExpression bound(final Expr.Call call, final Expr filter)
    {
        if (windows == null || !windows.hasBounds() || !call.arguments().isEmpty() || call.distinct() || filter != null)
        {
            throw new InvalidStatementException(call.name() + " of no window with slide or session");
        }
        windows.showTicks();
        final boolean isStart = call.name().equals("window_start");
        return new TypedExpression(Type.TIMESTAMP, env -> env.group.isEmpty() ? null
            : windows.bound(isStart, env.time, env.group.stream().map(row -> (Long)row[row.length - 1]).toList()));
    }

    private static List<Object[]> counted(final List<Object[]> rows, final TypedExpression condition)
    {
        final Env env = new Env();
        return rows.stream().filter(row -> {
            env.row = row;
            return condition.holds(env);
        }).toList();
    }

    /** Every column outside an aggregate must be grouped. */
    final void checkGrouped(final Expr expr, final List<Expr> group)
    {
        if (expr instanceof Expr.Call call && Aggregates.NAMES.contains(call.name()) || expr instanceof Expr.Filtered ||
            group.contains(expr))
        {
            return;
        }
        if (expr instanceof Expr.Col col)
        {
            final Scope.Place place = scope.find(col.qualifier(), col.name());
            for (final Expr key : group)
            {
                if (key instanceof Expr.Col other
                    && Objects.equals(scope.find(other.qualifier(), other.name()), place))
                {
                    return;
                }
            }
            throw new InvalidStatementException("column " + col.name() + " is neither grouped nor aggregated");
        }
        Expr.parts(expr).forEach(part -> checkGrouped(part, group));
    }
}
