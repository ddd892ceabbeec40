package dev.millrace.cql.testkit.interpreter;

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

    final Tree.Match match()
    {
        final List<String> partition = take("partition", "by") ? names() : List.of();
        final List<String> order = take("order", "by") ? names() : List.of();
        final List<Tree.Item> measures = see("measures") ? measures() : List.of();
        final Tree.Rows rows = rows();
        if (measures.isEmpty() && rows == Tree.Rows.CQL)
        {
            throw new Refused("MEASURES is missing");
        }
        Tree.Skip skip = Tree.Skip.PAST_LAST;
        String skipTo = null;
        boolean skipping = false;
        if (take("after", "match", "skip"))
        {
            skipping = true;
            if (take("to", "next", "row"))
            {
                skip = Tree.Skip.NEXT_ROW;
            }
            else if (!take("past", "last", "row"))
            {
                need("to");
                skip = take("first") ? Tree.Skip.FIRST : Tree.Skip.LAST;
                if (skip == Tree.Skip.LAST)
                {
                    take("last");
                }
                skipTo = name();
            }
        }
        final boolean all = take("all", "matches");
        if (all && skipping && skip != Tree.Skip.PAST_LAST)
        {
            throw new Refused("ALL MATCHES and AFTER MATCH SKIP exclude each other");
        }
        final boolean timers = take("include", "timer", "events");
        need("pattern", "(");
        final Tree.Pattern pattern = pattern();
        need(")");
        return tail(new Tree.Match(partition, order, measures, all, rows, skip, skipTo, timers, pattern, 0, false,
            0, null, false, List.of(), List.of()));
    }

    private Tree.Rows rows()
    {
        if (take("one", "row", "per", "match"))
        {
            return Tree.Rows.ONE;
        }
        if (!take("all", "rows", "per", "match"))
        {
            return Tree.Rows.CQL;
        }
        if (take("omit", "empty", "matches"))
        {
            return Tree.Rows.ALL_OMIT_EMPTY;
        }
        if (take("with", "unmatched", "rows"))
        {
            return Tree.Rows.ALL_WITH_UNMATCHED;
        }
        take("show", "empty", "matches");
        return Tree.Rows.ALL;
    }

    private Tree.Match tail(final Tree.Match head)
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
            throw new Refused("WITHIN and DURATION exclude each other");
        }
        if (duration > 0 != head.timers())
        {
            throw new Refused("DURATION and INCLUDE TIMER EVENTS need each other");
        }
        final List<Tree.Subset> subsets = take("subset") ? subsets() : List.of();
        need("define");
        final List<Tree.Item> defines = new ArrayList<>();
        do
        {
            final String name = name();
            need("as");
            defines.add(new Tree.Item(expression(), name));
        }
        while (take(","));
        return new Tree.Match(head.partition(), head.order(), head.measures(), head.all(), head.rows(),
            head.skip(), head.skipTo(), head.timers(), head.pattern(), within, inclusive, duration, durationOf,
            multiples, subsets,
            defines);
    }

    private Expr.Col column()
    {
        final String name = name();
        return take(".") ? new Expr.Col(name, name()) : new Expr.Col(null, name);
    }

    private List<Tree.Item> measures()
    {
        need("measures");
        final List<Tree.Item> measures = new ArrayList<>();
        do
        {
            final Expr expr = expression();
            need("as");
            measures.add(new Tree.Item(expr, name()));
        }
        while (take(","));
        return measures;
    }

    private List<Tree.Subset> subsets()
    {
        final List<Tree.Subset> subsets = new ArrayList<>();
        do
        {
            final String name = name();
            need("=", "(");
            subsets.add(new Tree.Subset(name, names()));
            need(")");
        }
        while (take(",") || seeName() && peek(1).is("="));
        return subsets;
    }

    private Tree.Pattern pattern()
    {
        final List<Tree.Pattern> parts = new ArrayList<>();
        do
        {
            parts.add(sequence());
        }
        while (take("|"));
        return parts.size() == 1 ? parts.get(0) : new Tree.Alt(parts);
    }

    private Tree.Pattern sequence()
    {
        final List<Tree.Pattern> parts = new ArrayList<>();
        while (!see(")") && !see("|") && !see(",") && !see("-}") && !atEnd())
        {
            parts.add(quantified());
        }
        if (parts.isEmpty())
        {
            throw new Refused("empty pattern");
        }
        return parts.size() == 1 ? parts.get(0) : new Tree.Seq(parts);
    }

    private Tree.Pattern quantified()
    {
        final Tree.Pattern part = element();
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
                throw new Refused("a quantifier's bounds are wrong");
            }
        }
        else if (!take("*"))
        {
            return part;
        }
        final boolean greedy = !take("?");
        if (see("*") || see("+") || see("?") || see("{"))
        {
            throw new Refused("quantifier on a quantifier");
        }
        return new Tree.Quant(part, least, most, greedy);
    }

    private Tree.Pattern element()
    {
        if (take("(", ")"))
        {
            return new Tree.Nothing();
        }
        if (take("{-"))
        {
            final Tree.Pattern inner = pattern();
            need("-}");
            return new Tree.Exclude(inner);
        }
        if (take("("))
        {
            final Tree.Pattern inner = pattern();
            need(")");
            return inner;
        }
        if (take("permute", "("))
        {
            final List<Tree.Pattern> parts = new ArrayList<>();
            do
            {
                parts.add(pattern());
            }
            while (take(","));
            need(")");
            if (parts.size() > MAX_PERMUTED)
            {
                throw new Refused("PERMUTE of more than " + MAX_PERMUTED);
            }
            final List<Tree.Pattern> orders = new ArrayList<>();
            permute(parts, new ArrayList<>(), orders);
            return orders.size() == 1 ? orders.get(0) : new Tree.Alt(orders);
        }
        return new Tree.Var(name());
    }

    private static void permute(
        final List<Tree.Pattern> rest, final List<Tree.Pattern> chosen, final List<Tree.Pattern> orders)
    {
        if (rest.isEmpty())
        {
            orders.add(new Tree.Seq(List.copyOf(chosen)));
        }
        for (int i = 0; i < rest.size(); i++)
        {
            final List<Tree.Pattern> others = new ArrayList<>(rest);
            chosen.add(others.remove(i));
            permute(others, chosen, orders);
            chosen.remove(chosen.size() - 1);
        }
    }
}
