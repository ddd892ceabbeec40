package dev.millrace.cql.testkit.interpreter;

import dev.millrace.cql.testkit.interpreter.syntax.Aggregates;
import dev.millrace.cql.testkit.interpreter.syntax.Expr;
import dev.millrace.cql.testkit.interpreter.syntax.InvalidStatementException;
import dev.millrace.cql.testkit.interpreter.syntax.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/** Binds expressions inside MATCH_RECOGNIZE. */
final class MatchBinder extends Binder
{
    private static final long ALL = -1L;
    private static final Set<String> NAVIGATION = Set.of("first", "last", "prev", "next");

    private final Scope columns;
    /** Variables as bits, by name of variable or subset. */
    private final Map<String, Long> variables;
    private final List<String> names;
    /** Variable that is being defined, or null. */
    private final String defined;
    /** Rows that NEXT reads. */
    private final List<ToIntFunction<PartialMatch>> ahead = new ArrayList<>();

    MatchBinder(final Scope columns, final Map<String, Long> variables, final List<String> names, final String defined)
    {
        super(columns);
        this.columns = columns;
        this.variables = variables;
        this.names = names;
        this.defined = defined;
    }

    /** Rows that NEXT reads, whether they have arrived or not; -1 if none exists. */
    List<ToIntFunction<PartialMatch>> ahead()
    {
        return ahead;
    }

    /** A column of the row for which the result row is emitted. */
    TypedExpression own(final int index, final Type type)
    {
        return new TypedExpression(type, env -> env.candidate.value(env.candidate.own, index));
    }

    private long mask(final String name)
    {
        if (name != null && !variables.containsKey(name))
        {
            throw new InvalidStatementException("unknown correlation variable " + name);
        }
        return name == null ? ALL : variables.get(name);
    }

    @Override
    TypedExpression column(final Expr.Col col)
    {
        final long mask = mask(col.qualifier());
        final Scope.Place place = columns.find(null, col.name());
        final int index = place.index();
        return new TypedExpression(place.type(), env -> {
            final PartialMatch candidate = env.candidate;
            final int row = candidate.at >= 0 ? candidate.at : candidate.last(mask, 0);
            return row < 0 ? null : candidate.value(row, index);
        });
    }

    @Override
    TypedExpression call(final Expr.Call call, final boolean inAggregate)
    {
        final boolean navigation = NAVIGATION.contains(call.name());
        if (navigation || Aggregates.NAMES.contains(call.name()))
        {
            if (inAggregate)
            {
                throw new InvalidStatementException("nested aggregate or navigation " + call.name());
            }
            return navigation ? navigation(call) : aggregate(call, null);
        }
        if (isClassifier(call))
        {
            final long mask = oneVariable(call);
            return new TypedExpression(Type.CHAR, env -> {
                final PartialMatch candidate = env.candidate;
                final int label = candidate.label(candidate.at >= 0 ? candidate.at : candidate.last(mask, 0));
                return label < 0 ? null : names.get(label).toUpperCase(Locale.ROOT);
            });
        }
        if (call.name().equals("match_number") && call.arguments().isEmpty())
        {
            if (defined != null)
            {
                throw new InvalidStatementException("match_number is only in MEASURES");
            }
            return new TypedExpression(Type.BIGINT, env -> env.candidate.number);
        }
        return super.call(call, inAggregate);
    }

    private static boolean isClassifier(final Expr expr)
    {
        return expr instanceof Expr.Call call && call.name().equals("classifier") && (call.arguments().isEmpty() ||
            call.arguments().size() == 1 && call.arguments().get(0) instanceof Expr.Col);
    }

    private void collect(final Expr expr, final Set<String> qualifiers)
    {
        if (isClassifier(expr))
        {
            final List<Expr> of = ((Expr.Call)expr).arguments();
            qualifiers.add(of.isEmpty() ? null : ((Expr.Col)of.get(0)).name());
            return;
        }
        if (expr instanceof Expr.Col col)
        {
            qualifiers.add(col.qualifier());
        }
        Expr.parts(expr).forEach(part -> collect(part, qualifiers));
    }

    private long oneVariable(final Expr argument)
    {
        final Set<String> qualifiers = new HashSet<>();
        collect(argument, qualifiers);
        if (qualifiers.size() > 1)
        {
            throw new InvalidStatementException("one correlation variable in an aggregate");
        }
        return qualifiers.isEmpty() ? ALL : mask(qualifiers.iterator().next());
    }

    private static Object over(final TypedExpression argument, final Env env, final int row)
    {
        final int before = env.candidate.at;
        env.candidate.at = row;
        final Object value = argument.eval().of(env);
        env.candidate.at = before;
        return value;
    }

    private TypedExpression navigation(final Expr.Call call)
    {
        final String name = call.name();
        final boolean physical = name.equals("prev") || name.equals("next");
        final int most = name.equals("prev") ? 3 : 2;
        if (call.distinct() || call.arguments().isEmpty() || call.arguments().size() > most)
        {
            throw new InvalidStatementException("wrong number of arguments of " + name);
        }
        final Expr what = call.arguments().get(0);
        if (name.equals("next") && defined != null)
        {
            throw new InvalidStatementException("NEXT is only in MEASURES");
        }
        if (physical && what instanceof Expr.Call inner
            && (inner.name().equals("first") || inner.name().equals("last")))
        {
            return before(call, inner);
        }
        if (name.equals("prev") && defined != null
            && !(what instanceof Expr.Col col && (col.qualifier() == null || col.qualifier().equals(defined)))
            && !(isClassifier(what) && ((Expr.Call)what).arguments().isEmpty()))
        {
            throw new InvalidStatementException("prev in DEFINE may use only the variable being defined");
        }
        final int offset = offset(call, 1, physical ? 1 : 0);
        final long range = call.arguments().size() > 2 ? offset(call, 2, 0) * 1_000_000L : Long.MAX_VALUE;
        final long mask = oneVariable(what);
        final TypedExpression argument = bind(what, true);
        if (name.equals("next"))
        {
            return after(env -> env.last(mask, 0), offset, argument);
        }
        if (!name.equals("prev"))
        {
            final boolean first = name.equals("first");
            return new TypedExpression(argument.type(), env -> {
                final int row = first ? env.candidate.first(mask, offset) : env.candidate.last(mask, offset);
                return row < 0 ? null : over(argument, env, row);
            });
        }
        return new TypedExpression(argument.type(), env -> {
            final int current = env.candidate.last(mask, 0);
            final int row = current - offset;
            if (current < 0 || row < 0
                || env.candidate.rows.get(current).time() - env.candidate.rows.get(row).time() > range)
            {
                return null;
            }
            return over(argument, env, row);
        });
    }

    /** A value of a row after another one, which must be within the time of the match. */
    private TypedExpression after(final ToIntFunction<PartialMatch> from, final int rows,
        final TypedExpression argument)
    {
        ahead.add(candidate -> from.applyAsInt(candidate) < 0 ? -1 : from.applyAsInt(candidate) + rows);
        return new TypedExpression(argument.type(), env -> {
            final int current = from.applyAsInt(env.candidate);
            return current < 0 || current + rows >= env.candidate.bound ? null : over(argument, env, current + rows);
        });
    }

    @Override
    TypedExpression whole(final Expr.Final whole)
    {
        if (defined != null)
        {
            throw new InvalidStatementException("FINAL is only in MEASURES");
        }
        final TypedExpression operand = bind(whole.operand(), false);
        return new TypedExpression(operand.type(), env -> {
            final int length = env.candidate.length;
            env.candidate.length = env.candidate.full;
            final Object value = operand.eval().of(env);
            env.candidate.length = length;
            return value;
        });
    }

    /** prev(last(...), n): physically before a row of the match; next: after it. */
    private TypedExpression before(final Expr.Call call, final Expr.Call inner)
    {
        final int back = offset(call, 1, 1);
        final int among = offset(inner, 1, 0);
        final long mask = oneVariable(inner.arguments().get(0));
        final TypedExpression argument = bind(inner.arguments().get(0), true);
        final boolean first = inner.name().equals("first");
        final ToIntFunction<PartialMatch> from =
            candidate -> first ? candidate.first(mask, among) : candidate.last(mask, among);
        if (call.name().equals("next"))
        {
            return after(from, back, argument);
        }
        return new TypedExpression(argument.type(), env -> {
            final int row = from.applyAsInt(env.candidate);
            return row < back ? null : over(argument, env, row - back);
        });
    }

    private static int offset(final Expr.Call call, final int index, final int missing)
    {
        if (call.arguments().size() <= index)
        {
            return missing;
        }
        if (call.arguments().get(index) instanceof Expr.Lit lit && lit.value() instanceof Integer number)
        {
            return number;
        }
        throw new InvalidStatementException("an offset of " + call.name() + " must be a constant that is not negative");
    }

    @Override
    TypedExpression aggregate(final Expr.Call written, final Expr filter)
    {
        final Expr.Call call = Aggregates.plainCall(written);
        if (call.arguments().size() != 1)
        {
            throw new InvalidStatementException(call.name() + " takes one argument");
        }
        final Expr what = call.arguments().get(0);
        final boolean star = what instanceof Expr.Star;
        if (star && (!call.name().equals("count") || call.distinct()))
        {
            throw new InvalidStatementException(call.name() + "(*)");
        }
        if (filter != null && star && ((Expr.Star)what).qualifier() != null)
        {
            throw new InvalidStatementException("a filter over rows of a variable");
        }
        final TypedExpression counts = filter == null ? TypedExpression.constant(true, Type.BOOLEAN) :
            bind(filter, true);
        final long mask = filter != null ? oneVariable(new Expr.Filtered(call, filter))
            : star ? mask(((Expr.Star)what).qualifier()) : oneVariable(what);
        final TypedExpression argument = star ? TypedExpression.constant(1, Type.INT) : bind(what, true);
        final Type type = Aggregates.type(call.name(), argument.type());
        return new TypedExpression(type, env -> {
            final List<Object> values = new ArrayList<>();
            for (int i = 0; i < env.candidate.length; i++)
            {
                final int row = env.candidate.start + i;
                if ((mask >> env.candidate.labels[i] & 1) != 0 && Boolean.TRUE.equals(over(counts, env, row)))
                {
                    final Object value = over(argument, env, row);
                    if (value != null)
                    {
                        values.add(value);
                    }
                }
            }
            return Aggregates.fold(written, type, call.distinct() ? Row.distinct(values) : values);
        });
    }
}
