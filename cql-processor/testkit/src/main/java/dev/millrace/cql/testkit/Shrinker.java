package dev.millrace.cql.testkit;

import dev.millrace.cql.testkit.interpreter.Interpreter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Shrinks a failing case while it still fails: fewer arrivals, then fewer words in its statements. */
public final class Shrinker
{
    private static final Pattern TOKEN =
        Pattern.compile("\"[^\"]*\"|'[^']*'|[A-Za-z_][A-Za-z0-9_]*|\\d+(?:\\.\\d+)?|<>|!=|<=|>=|\\|\\||\\S");
    private static final int MAX_TRIES = 3_000;

    private final Predicate<CaseFile> fails;
    private int tries;

    /**
     * @param fails whether a case still fails in the same way
     */
    public Shrinker(final Predicate<CaseFile> fails)
    {
        this.fails = fails;
    }

    private boolean stillFails(final CaseFile file)
    {
        return ++tries <= MAX_TRIES && fails.test(file);
    }

    /**
     * Shrinks a failing case.
     *
     * @return a failing case of the same or smaller size
     */
    public CaseFile shrink(final CaseFile file)
    {
        CaseFile smallest = arrivals(file);
        for (int i = 0; i < smallest.rules().size(); i++)
        {
            smallest = words(smallest, i);
        }
        return arrivals(withoutIdleRules(smallest));
    }

    private CaseFile withoutIdleRules(final CaseFile file)
    {
        CaseFile smallest = file;
        for (int i = file.rules().size() - 1; i >= 0; i--)
        {
            final List<Interpreter.Rule> fewer = new ArrayList<>(smallest.rules());
            fewer.remove(i);
            if (!fewer.isEmpty() && stillFails(smallest.with(fewer)))
            {
                smallest = smallest.with(fewer);
            }
        }
        return smallest;
    }

    private CaseFile arrivals(final CaseFile file)
    {
        CaseFile smallest = file;
        for (int chunk = Math.max(1, file.arrivals().size() / 2); chunk > 0; chunk /= 2)
        {
            int at = 0;
            while (at < smallest.arrivals().size())
            {
                final List<Interpreter.Arrival> fewer = new ArrayList<>(smallest.arrivals());
                fewer.subList(at, Math.min(at + chunk, fewer.size())).clear();
                if (stillFails(smallest.over(fewer)))
                {
                    smallest = smallest.over(fewer);
                }
                else
                {
                    at += chunk;
                }
            }
        }
        return smallest;
    }

    private CaseFile words(final CaseFile file, final int index)
    {
        CaseFile smallest = file;
        List<String> tokens = tokens(file.rules().get(index).text());
        for (int chunk = Math.min(16, tokens.size() / 2); chunk > 0; chunk = chunk > 8 ? chunk / 2 : chunk - 1)
        {
            int at = 0;
            while (at < tokens.size())
            {
                final List<String> fewer = new ArrayList<>(tokens);
                fewer.subList(at, Math.min(at + chunk, fewer.size())).clear();
                final CaseFile candidate = smallest.with(replaced(smallest.rules(), index, fewer));
                if (!fewer.isEmpty() && stillFails(candidate))
                {
                    smallest = candidate;
                    tokens = fewer;
                }
                else
                {
                    at++;
                }
            }
        }
        return smallest;
    }

    private static List<Interpreter.Rule> replaced(
        final List<Interpreter.Rule> rules, final int index, final List<String> tokens)
    {
        final Interpreter.Rule old = rules.get(index);
        final List<Interpreter.Rule> others = new ArrayList<>(rules);
        others.set(index, new Interpreter.Rule(old.id(), old.view(), join(tokens), old.schema()));
        return others;
    }

    /** Joins tokens with blanks only where the text would otherwise be unreadable or wrong. */
    private static String join(final List<String> tokens)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < tokens.size(); i++)
        {
            final String token = tokens.get(i);
            final boolean tight = i == 0 || token.matches("[),.\\]]") || tokens.get(i - 1).matches("[(.\\[]");
            text.append(tight ? "" : " ").append(token);
        }
        return text.toString();
    }

    private static List<String> tokens(final String text)
    {
        final List<String> tokens = new ArrayList<>();
        final Matcher matcher = TOKEN.matcher(text);
        while (matcher.find())
        {
            tokens.add(matcher.group());
        }
        return tokens;
    }
}
