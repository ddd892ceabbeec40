package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged statements lead to a plan or to problems with a position, never to any other failure. */
@Tag("slow")
@Timeout(180)
class MutatedStatementsTest
{
    private static final long RUN_NS = 5_000_000_000L;
    private static final List<String> SEEDS = List.of(
        SignalGenerationTest.VIEW.text(),
        SignalGenerationTest.TREND.text().replace("from S ", "from StockTickStream "),
        "select p0, sum(p1) as s, count(*) from SampleEvent group by p0 having sum(p1) >= 100000000 and s > 1",
        "select i + 2 * 3, -f, (l - 1.5f) / d as x, A.*, `c` from A[now] where not b = true xor c in ('x', \"y\") " +
            "and i between 1 and 2.5 or t is not null and d <> null",
        "RStream(select T.i, R.n from A[now] as T, byNumber as R where T.i > 2 and R.id = T.i and R.n <> T.c)",
        "select T.a * 2 as twice from N match_recognize (partition by c1 measures A.c2 as a, prev(B.c2, 2) as b, " +
            "last(c1, 1) as c all matches include timer events pattern ((A | B)+? C*) duration multiples of 5 " +
            "seconds subset U = (A, B) define B as B.c2 > prev(B.c2) and first(A.c1) = 3) as T where T.b > 25",
        "IStream(select distinct case when i > 1 then 2 else 3 end from A[range 5 seconds slide 1] left outer join N " +
            "on A.i = N.c1 order by 1 desc rows 3) difference using (1)");
    private static final String[] PIECES = {"select", "from", "where", "(", ")", "[", "]", ",", ".", "*", "+", "-", "/",
        "=", "<", ">", "'", "\"", "`", "null", "and", "or", "not", "in", "is", "between", "1", "2.5", "1e9", "7L", "A",
        "i", "c", "d", "b", "t", "m", "o", "x", "N", "c1", "as", "[now]", "sum(", "count(*)", "prev(", "last(",
        "group by", "having", "match_recognize", "pattern", "define", "measures", "all matches", "RStream(", ":1", "@",
        "\u00e9", "\u0000", "\ud83d", "{", "}", "|", "||", ";", "true", "A.i", "A.*", "symbolsRelation", "Rel", "xor"};

    @Test
    void shouldNeverThrowAnythingButProblemsWhenStatementIsDamaged()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed of damaged statements: " + seed);
        final Random random = new Random(seed);
        final long start = System.nanoTime();
        int planned = 0;
        int refused = 0;
        while (System.nanoTime() - start < RUN_NS)
        {
            final String text = damage(SEEDS.get(random.nextInt(SEEDS.size())), random);
            if (plans(text))
            {
                planned++;
            }
            else
            {
                refused++;
            }
        }
        System.out.println("damaged statements: planned=" + planned + " refused=" + refused);
        assertThat(refused).isPositive();
    }

    private static boolean plans(final String text)
    {
        try
        {
            new RulePlanner().plan("proc", List.of(RuleText.query("q", text)), PlanFixture.CATALOG);
            return true;
        }
        catch (final CqlException e)
        {
            for (final CqlProblem problem : e.problems())
            {
                if (problem.code().equals(Message.INTERNAL.code()))
                {
                    throw new AssertionError("statement: " + text, e);
                }
                assertThat(problem.line()).as(text).isPositive();
                assertThat(problem.column()).as(text).isPositive();
                assertThat(problem.excerpt()).as(text).contains("^");
                assertThat(problem.toString()).as(text).doesNotContain("calcite", "SqlNode", "VARCHAR", "$SCALAR");
            }
            return false;
        }
        catch (final RuntimeException | Error e)
        {
            throw new AssertionError("statement: " + text, e);
        }
    }

    private static String damage(final String text, final Random random)
    {
        final List<String> parts = new ArrayList<>(List.of(text.split("(?<=\\W)|(?=\\W)")));
        final int times = 1 + random.nextInt(3);
        for (int i = 0; i < times; i++)
        {
            final int at = random.nextInt(parts.size());
            switch (random.nextInt(6))
            {
                case 0 -> parts.remove(at);
                case 1 -> parts.set(at, PIECES[random.nextInt(PIECES.length)]);
                case 2 -> parts.add(at, " " + PIECES[random.nextInt(PIECES.length)] + " ");
                case 3 -> parts.add(at, parts.get(random.nextInt(parts.size())));
                case 4 -> parts.set(at, parts.get(random.nextInt(parts.size())));
                default -> Collections.swap(parts, at, random.nextInt(parts.size()));
            }
            if (parts.isEmpty())
            {
                parts.add(" ");
            }
        }
        return String.join("", parts);
    }
}
