package dev.millrace.cql.testkit.interpreter.syntax;

import java.util.ArrayList;
import java.util.List;

/** Parses the content of MATCH_RECOGNIZE (...). */
class MatchReader extends ExpressionReader
{
    private static final int MAX_PERMUTED = 6;

    MatchReader(final String text)
    {
        super(text);
    }

    final SyntaxTree.Match match()
    {
        final List<String> partition = take("partition", "by") ? names() : List.of();
        final List<String> order = take("order", "by") ? names() : List.of();
        final List<SyntaxTree.Item> measures = see("measures") ? measures() : List.of();
        final SyntaxTree.Rows rows = rows();
        if (measures.isEmpty() && rows == SyntaxTree.Rows.CQL)
        {
            throw new InvalidStatementException("MEASURES is missing");
        }
        SyntaxTree.Skip skip = SyntaxTree.Skip.PAST_LAST;
        String skipTo = null;
        boolean skipping = false;
        if (take("after", "match", "skip"))
        {
            skipping = true;
            if (take("to", "next", "row"))
            {
                skip = SyntaxTree.Skip.NEXT_ROW;
            }
            else if (!take("past", "last", "row"))
            {
                need("to");
                skip = take("first") ? SyntaxTree.Skip.FIRST : SyntaxTree.Skip.LAST;
                if (skip == SyntaxTree.Skip.LAST)
                {
                    take("last");
                }
                skipTo = name();
            }
        }
        final boolean all = take("all", "matches");
        if (all && skipping && skip != SyntaxTree.Skip.PAST_LAST)
        {
            throw new InvalidStatementException("ALL MATCHES and AFTER MATCH SKIP exclude each other");
        }
        final boolean timers = take("include", "timer", "events");
        need("pattern", "(");
        final SyntaxTree.Pattern pattern = pattern();
        need(")");
        return tail(new SyntaxTree.Match(partition, order, measures, all, rows, skip, skipTo, timers, pattern, 0, false,
            0, null, false, List.of(), List.of()));
    }

    private SyntaxTree.Rows rows()
    {
        if (take("one", "row", "per", "match"))
        {
            return SyntaxTree.Rows.ONE;
        }
        if (!take("all", "rows", "per", "match"))
        {
            return SyntaxTree.Rows.CQL;
        }
        if (take("omit", "empty", "matches"))
        {
            return SyntaxTree.Rows.ALL_OMIT_EMPTY;
        }
        if (take("with", "unmatched", "rows"))
        {
            return SyntaxTree.Rows.ALL_WITH_UNMATCHED;
        }
        take("show", "empty", "matches");
        return SyntaxTree.Rows.ALL;
    }

    private SyntaxTree.Match tail(final SyntaxTree.Match head)
    {
        long within = 0;
        boolean inclusive = false;
        if (take("within"))
        {
            inclusive = take("inclusive");
            within = time().ns();
        }
        long duration = 0;
        boolean multiples = false;
        Expr.Col durationOf = null;
        if (take("duration"))
        {
            multiples = take("multiples", "of");
            durationOf = seeName() ? column() : null;
            final Long unit = durationOf == null ? null : unit();
            duration = durationOf == null ? time().ns() : unit == null ? 1_000_000_000L : unit;
        }
        if (within > 0 && duration > 0 || duration > 0 && see("within"))
        {
            throw new InvalidStatementException("WITHIN and DURATION exclude each other");
        }
        if (duration > 0 != head.timers())
        {
            throw new InvalidStatementException("DURATION and INCLUDE TIMER EVENTS need each other");
        }
        final List<SyntaxTree.Subset> subsets = take("subset") ? subsets() : List.of();
        need("define");
        final List<SyntaxTree.Item> defines = new ArrayList<>();
        do
        {
            final String name = name();
            need("as");
            defines.add(new SyntaxTree.Item(expression(), name));
        }
        while (take(","));
        return new SyntaxTree.Match(head.partition(), head.order(), head.measures(), head.all(), head.rows(),
            head.skip(), head.skipTo(), head.timers(), head.pattern(), within, inclusive, duration, durationOf,
            multiples, subsets,
            defines);
    }

    private Expr.Col column()
    {
        final String name = name();
        return take(".") ? new Expr.Col(name, name()) : new Expr.Col(null, name);
    }

    private List<SyntaxTree.Item> measures()
    {
        need("measures");
        final List<SyntaxTree.Item> measures = new ArrayList<>();
        do
        {
            final Expr expr = expression();
            need("as");
            measures.add(new SyntaxTree.Item(expr, name()));
        }
        while (take(","));
        return measures;
    }

    private List<SyntaxTree.Subset> subsets()
    {
        final List<SyntaxTree.Subset> subsets = new ArrayList<>();
        do
        {
            final String name = name();
            need("=", "(");
            subsets.add(new SyntaxTree.Subset(name, names()));
            need(")");
        }
        while (take(",") || seeName() && peek(1).is("="));
        return subsets;
    }

    private SyntaxTree.Pattern pattern()
    {
        final List<SyntaxTree.Pattern> parts = new ArrayList<>();
        do
        {
            parts.add(sequence());
        }
        while (take("|"));
        return parts.size() == 1 ? parts.get(0) : new SyntaxTree.Alt(parts);
    }

    private SyntaxTree.Pattern sequence()
    {
        final List<SyntaxTree.Pattern> parts = new ArrayList<>();
        while (!see(")") && !see("|") && !see(",") && !see("-}") && !atEnd())
        {
            parts.add(quantified());
        }
        if (parts.isEmpty())
        {
            throw new InvalidStatementException("empty pattern");
        }
        return parts.size() == 1 ? parts.get(0) : new SyntaxTree.Seq(parts);
    }

    private SyntaxTree.Pattern quantified()
    {
        final SyntaxTree.Pattern part = element();
        int least = 0;
        int most = -1;
        if (take("+"))
        {
            least = 1;
        }
        else if (take("?"))
        {
            most = 1;
        }
        else if (take("{"))
        {
            final boolean low = !see(",");
            least = low ? (int)integer() : 0;
            most = take(",") ? (see("}") ? -1 : (int)integer()) : least;
            need("}");
            if (most >= 0 && (most < least || most == 0))
            {
                throw new InvalidStatementException("a quantifier's bounds are wrong");
            }
        }
        else if (!take("*"))
        {
            return part;
        }
        final boolean greedy = !take("?");
        if (see("*") || see("+") || see("?") || see("{"))
        {
            throw new InvalidStatementException("quantifier on a quantifier");
        }
        return new SyntaxTree.Quant(part, least, most, greedy);
    }

    private SyntaxTree.Pattern element()
    {
        if (take("(", ")"))
        {
            return new SyntaxTree.Nothing();
        }
        if (take("{-"))
        {
            final SyntaxTree.Pattern inner = pattern();
            need("-}");
            return new SyntaxTree.Exclude(inner);
        }
        if (take("("))
        {
            final SyntaxTree.Pattern inner = pattern();
            need(")");
            return inner;
        }
        if (take("permute", "("))
        {
            final List<SyntaxTree.Pattern> parts = new ArrayList<>();
            do
            {
                parts.add(pattern());
            }
            while (take(","));
            need(")");
            if (parts.size() > MAX_PERMUTED)
            {
                throw new InvalidStatementException("PERMUTE of more than " + MAX_PERMUTED);
            }
            final List<SyntaxTree.Pattern> orders = new ArrayList<>();
            permute(parts, new ArrayList<>(), orders);
            return orders.size() == 1 ? orders.get(0) : new SyntaxTree.Alt(orders);
        }
        return new SyntaxTree.Var(name());
    }

    private static void permute(
        final List<SyntaxTree.Pattern> rest, final List<SyntaxTree.Pattern> chosen,
        final List<SyntaxTree.Pattern> orders)
    {
        if (rest.isEmpty())
        {
            orders.add(new SyntaxTree.Seq(List.copyOf(chosen)));
        }
        for (int i = 0; i < rest.size(); i++)
        {
            final List<SyntaxTree.Pattern> others = new ArrayList<>(rest);
            chosen.add(others.remove(i));
            permute(others, chosen, orders);
            chosen.remove(chosen.size() - 1);
        }
    }
}
