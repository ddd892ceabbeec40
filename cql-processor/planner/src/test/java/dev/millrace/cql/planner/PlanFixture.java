package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.JavaClasses;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.ProcessorPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks the plan or the problem of rules. The expected position of a problem is marked with carets in the text of the
 * rule: {@code select ^nme^ from S}.
 */
public final class PlanFixture
{
    static final EventType TICK = EventType.tuple("StockTick", property("symbol", CqlType.CHAR),
        property("lastPrice", CqlType.DOUBLE), property("volume", CqlType.INT));
    static final EventType SYMBOL = EventType.tuple("Symbol", property("symbol", CqlType.CHAR),
        property("sector", CqlType.CHAR), property("lotSize", CqlType.INT));
    public static final EventType ALL = EventType.tuple("All", property("i", CqlType.INT),
        property("l", CqlType.BIGINT),
        property("f", CqlType.FLOAT), property("d", CqlType.DOUBLE), property("c", CqlType.CHAR),
        property("b", CqlType.BOOLEAN), property("t", CqlType.TIMESTAMP), property("v", CqlType.INTERVAL),
        property("m", CqlType.BIGDECIMAL), property("y", CqlType.BYTE), property("x", CqlType.XMLTYPE),
        property("o", CqlType.OBJECT), property("c2", CqlType.CHAR), property("i2", CqlType.INT));
    static final Catalog CATALOG = Catalog.builder()
        .stream("StockTickStream", TICK)
        .stream("N", EventType.tuple("NType", property("c1", CqlType.INT), property("c2", CqlType.INT)))
        .stream("S2", EventType.tuple("S2Type", property("c1", CqlType.INT), property("k", CqlType.CHAR)))
        .stream("A", ALL)
        .stream("SampleEvent", EventType.tuple("SampleEvent", property("p0", CqlType.CHAR),
            property("p1", CqlType.BIGINT)))
        .channel("Rel", SYMBOL, true, true)
        .cache("symbolsRelation", SYMBOL, List.of("symbol"))
        .cache("byNumber", EventType.tuple("Numbered", property("id", CqlType.BIGINT), property("n", CqlType.CHAR)),
            List.of("id"))
        .cache("twoKeys", SYMBOL, List.of("symbol", "sector"))
        .table("prices", SYMBOL)
        .classes(name -> name.equals("broken.Needy") ? Needed.missing() :
            JavaClasses.of(PlanFixture.class.getClassLoader()).find(name))
        .window("tumbling")
        .build();

    private final List<RuleText> rules = new ArrayList<>();

    public static EventProperty property(final String name, final CqlType type)
    {
        return new EventProperty(name, type);
    }

    public static PlanFixture query(final String text)
    {
        return new PlanFixture().and(RuleText.query("q", text));
    }

    public static PlanFixture rules(final RuleText... given)
    {
        final PlanFixture fixture = new PlanFixture();
        fixture.rules.addAll(List.of(given));
        return fixture;
    }

    PlanFixture and(final RuleText rule)
    {
        rules.add(rule);
        return this;
    }

    public ProcessorPlan plan()
    {
        return planWith(new RulePlanner());
    }

    public ProcessorPlan planWith(final RulePlanner planner)
    {
        try
        {
            return planner.plan("proc", rules, CATALOG);
        }
        catch (final CqlException e)
        {
            return fail("expected a plan for " + rules + " but got " + e.getMessage(), e);
        }
    }

    /** The plan must be printed as given, one line per operator. */
    void plans(final String expected)
    {
        assertThat(new RulePlanner().explain(plan())).isEqualTo(expected);
    }

    /** The pipeline of the only query must contain this line. */
    void plansLine(final String expected)
    {
        assertThat(new RulePlanner().explain(plan()).lines().map(String::strip)).contains(expected);
    }

    List<CqlProblem> problems()
    {
        try
        {
            return fail("expected a problem in " + rules + " but got " +
                new RulePlanner().explain(new RulePlanner().plan("proc", rules, CATALOG)));
        }
        catch (final CqlException e)
        {
            if (e.getCause() != null && e.problems().get(0).code().equals(Message.INTERNAL.code()))
            {
                throw new AssertionError(e.getMessage(), e);
            }
            return e.problems();
        }
    }

    /** One query whose problem is marked with carets. */
    static CqlProblem fails(final Message message, final String textWithCarets)
    {
        return fails(message, textWithCarets, "");
    }

    static CqlProblem fails(final Message message, final String textWithCarets, final String partOfMessage)
    {
        final int first = textWithCarets.indexOf('^');
        final int second = textWithCarets.indexOf('^', first + 1);
        final String text = textWithCarets.substring(0, first) + textWithCarets.substring(first + 1, second) +
            textWithCarets.substring(second + 1);
        final List<CqlProblem> problems = query(text).problems();
        assertThat(problems).hasSize(1);
        final CqlProblem problem = problems.get(0);
        assertThat(problem.code()).as(problem.toString()).isEqualTo(message.code());
        assertThat(problem.text() + "; " + problem.hint()).contains(partOfMessage);
        assertThat(position(problem)).as(problem.toString()).isEqualTo(
            position(text, first) + "-" + position(text, Math.max(first, second - 2)));
        return problem;
    }

    private static String position(final CqlProblem problem)
    {
        return problem.line() + ":" + problem.column() + "-" + problem.endLine() + ":" + problem.endColumn();
    }

    private static String position(final String text, final int offset)
    {
        int line = 1;
        int start = 0;
        for (int i = 0; i < offset; i++)
        {
            if (text.charAt(i) == '\n')
            {
                line++;
                start = i + 1;
            }
        }
        return line + ":" + (offset - start + 1);
    }
}
