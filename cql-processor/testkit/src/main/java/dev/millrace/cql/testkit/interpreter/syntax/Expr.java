package dev.millrace.cql.testkit.interpreter.syntax;

import java.util.List;

/** Expressions as written, with case-folded names. Equal when written alike. */
public sealed interface Expr
{
    /** A constant; {@code open} when it is a decimal without suffix, whose type is determined by the other operand. */
    record Lit(Object value, Type type, boolean open) implements Expr
    {
        static final Lit NULL = new Lit(null, Type.NULL, false);
    }

    /** A column; qualifier is null without. */
    record Col(String qualifier, String name) implements Expr
    {
    }

    /** Unary minus. */
    record Neg(Expr operand) implements Expr
    {
    }

    /** {@code + - * / ||}. */
    record Arith(String sign, Expr left, Expr right) implements Expr
    {
    }

    /** {@code and or xor}. */
    record Logic(String word, Expr left, Expr right) implements Expr
    {
    }

    /** not. */
    record Not(Expr operand) implements Expr
    {
    }

    /** {@code = <> < > <= >=}. */
    record Compare(String sign, Expr left, Expr right) implements Expr
    {
    }

    /** is [not] null. */
    record IsNull(Expr operand, boolean negated) implements Expr
    {
    }

    /** like, a regular expression. */
    record Like(Expr operand, String pattern) implements Expr
    {
    }

    /** in (list). */
    record InList(Expr operand, List<Expr> list) implements Expr
    {
    }

    /** case; conditions and results alternate, the else is last. */
    record Case(List<Expr> conditions, List<Expr> results, Expr otherwise) implements Expr
    {
    }

    /** Prefix of the names of casts, before the name of the target type; no function can have such a name. */
    String CAST = "cast to ";

    /** A function or aggregate; {@code count(*)} has one {@link Star}. */
    record Call(String name, boolean distinct, List<Expr> arguments) implements Expr
    {
    }

    /** An aggregate over the rows for which a condition is true. */
    record Filtered(Call call, Expr condition) implements Expr
    {
    }

    /** An aggregate or navigation over the whole match. */
    record Final(Expr operand) implements Expr
    {
    }

    /** {@code row_number() over (...)}; without ROWS. */
    record RowNumber(Order order) implements Expr
    {
    }

    /** ORDER BY; rows is 0 without ROWS. */
    record Order(List<Term> terms, long rows, List<Expr> partition)
    {
    }

    /** A term of ORDER BY. */
    record Term(Expr expr, boolean descending, boolean nullsFirst)
    {
    }

    /** {@code *} or {@code V.*} as an argument. */
    record Star(String qualifier) implements Expr
    {
    }

    /** The direct subexpressions, in order. */
    static List<Expr> parts(final Expr expr)
    {
        if (expr instanceof Neg neg)
        {
            return List.of(neg.operand());
        }
        if (expr instanceof Arith arith)
        {
            return List.of(arith.left(), arith.right());
        }
        if (expr instanceof Logic logic)
        {
            return List.of(logic.left(), logic.right());
        }
        if (expr instanceof Not not)
        {
            return List.of(not.operand());
        }
        if (expr instanceof Compare compare)
        {
            return List.of(compare.left(), compare.right());
        }
        if (expr instanceof IsNull isNull)
        {
            return List.of(isNull.operand());
        }
        if (expr instanceof Like like)
        {
            return List.of(like.operand());
        }
        if (expr instanceof InList in)
        {
            final List<Expr> parts = new java.util.ArrayList<>(in.list());
            parts.add(0, in.operand());
            return parts;
        }
        if (expr instanceof Case choice)
        {
            final List<Expr> parts = new java.util.ArrayList<>(choice.conditions());
            parts.addAll(choice.results());
            parts.add(choice.otherwise());
            return parts;
        }
        if (expr instanceof Filtered filtered)
        {
            return List.of(filtered.call(), filtered.condition());
        }
        if (expr instanceof Final all)
        {
            return List.of(all.operand());
        }
        return expr instanceof Call call ? call.arguments() : List.of();
    }

    /**
     * A copy in which aliases are replaced by their expressions.
     *
     * @param aliases expression by alias
     */
    static Expr replace(final Expr expr, final java.util.Map<String, Expr> aliases)
    {
        final java.util.function.UnaryOperator<Expr> go = part -> replace(part, aliases);
        if (expr instanceof Col col)
        {
            return col.qualifier() == null && aliases.containsKey(col.name()) ? aliases.get(col.name()) : col;
        }
        if (expr instanceof Neg neg)
        {
            return new Neg(go.apply(neg.operand()));
        }
        if (expr instanceof Arith arith)
        {
            return new Arith(arith.sign(), go.apply(arith.left()), go.apply(arith.right()));
        }
        if (expr instanceof Logic logic)
        {
            return new Logic(logic.word(), go.apply(logic.left()), go.apply(logic.right()));
        }
        if (expr instanceof Not not)
        {
            return new Not(go.apply(not.operand()));
        }
        if (expr instanceof Compare compare)
        {
            return new Compare(compare.sign(), go.apply(compare.left()), go.apply(compare.right()));
        }
        if (expr instanceof IsNull isNull)
        {
            return new IsNull(go.apply(isNull.operand()), isNull.negated());
        }
        if (expr instanceof Like like)
        {
            return new Like(go.apply(like.operand()), like.pattern());
        }
        if (expr instanceof InList in)
        {
            return new InList(go.apply(in.operand()), in.list().stream().map(go).toList());
        }
        if (expr instanceof Case choice)
        {
            return new Case(choice.conditions().stream().map(go).toList(),
                choice.results().stream().map(go).toList(), go.apply(choice.otherwise()));
        }
        if (expr instanceof Filtered filtered)
        {
            return new Filtered((Call)go.apply(filtered.call()), go.apply(filtered.condition()));
        }
        return expr instanceof Call call
            ? new Call(call.name(), call.distinct(), call.arguments().stream().map(go).toList()) : expr;
    }
}
