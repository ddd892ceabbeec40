package dev.millrace.cql.language.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlRuleException;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Damaged statements lead to a tree or to a refusal with a position inside the text, never to any other failure. */
@Tag("slow")
@Timeout(180)
class DamagedTextTest
{
    private static final int STATEMENTS = 20_000;
    private static final List<String> SEEDS = List.of(
        "IStream(select distinct a, b as c, S.*, count(distinct d) from S[range 5 minutes slide 10 seconds] as S, " +
            "T[partition by x, y rows 3 range 1 slide 1] where a like '^M' and not b in (1, 2.5f, null) xor c " +
            "between 1 and 2 group by a, b having sum(c) > 1 order by 1 desc nulls last rows 5 partition by a) " +
            "difference using (a, 2)",
        "(select a from S[rows 5 slide 2]) union all V minus (W intersect select b from T[range 5 on c]) not in X " +
            "order by a evaluate every 10 milliseconds",
        "select case x when 1 then 'a' else \"b\" end, decode(a, null, b, c, d, e), case when a is not null then 1 " +
            "end, interval '0 00:00:05.00' day to second, timestamp '2026-11-21 00:00:00', x'0AFF', 1e3 from S",
        "select pkg.Class@java(a, :1).b.c(d)[1], java.lang.Math.abs(-a || b), f(), A.b.c.d from S left outer join T " +
            "on a = b right join (select * from V) as q on c = d, table(f@jdbc(a) as col of java.lang.String) as t",
        "select xmlelement(name n, xmlattributes(a as \"k\"), b), xmlforest(a, b as c), " +
            "xmlparse(content a wellformed), xmlquery('//a' passing by value a as \".\" returning " +
            "content) from S xmltable(xmlnamespaces('u' as \"p\"), '//a' " +
            "passing by value S.a as \".\" columns n char(10) path 'n', m int path \"m\") as X",
        "select T.x from S match_recognize (partition by a measures A.b as x, count(A.*) as n all matches include " +
            "timer events pattern ((A | B)+? C{2,3} D*) duration multiples of 5 subset U = (A, B) define A as A.b > " +
            "prev(A.b, 2), B as last(A.c) like 'x') as T");
    private static final String[] PIECES = {"select", "from", "where", "(", ")", "[", "]", ",", ".", "*", "+", "-", "/",
        "=", "<", "'", "\"", "`", "null", "and", "or", "not", "in", "is", "between", "1", "2.5", "1e9", "7L", "a", "as",
        "[now]", "group by", "having", "match_recognize", "pattern", "define", "RStream(", ":1", ":2", "@", "\u00e9",
        "\u0000", "\ud83d", "{", "}", "|", "||", ";", "true", "case", "when", "then", "else", "end", "decode(", "like",
        "interval", "timestamp", "x'", "xmlelement(", "xmltable(", "union", "except", "not in", "on", "join", "left",
        "difference using (", "evaluate every", "rows", "range", "slide", "partition by", "order by", "table(", "/*",
        "99999999999999999999", "0", "\n", "\t", "distinct", "nulls", "first", "unbounded"};

    @Test
    void shouldNeverThrowAnythingButRefusalsWhenTextIsDamaged()
    {
        final long seed = Long.getLong("seed", 20_261_123L);
        System.out.println("seed of damaged texts: " + seed);
        final Random random = new Random(seed);
        int parsed = 0;
        for (int i = 0; i < STATEMENTS; i++)
        {
            final String text = damage(SEEDS.get(random.nextInt(SEEDS.size())), random);
            parsed += parses(text) ? 1 : 0;
        }
        System.out.println("damaged texts: parsed=" + parsed + " of " + STATEMENTS);
        assertThat(parsed).isBetween(1, STATEMENTS - 1);
    }

    private static boolean parses(final String text)
    {
        final RuleText plain = RuleText.query("q", text);
        final RuleText rule = text.contains(":1") ? plain.bound("p", List.of("5 minutes")) : plain;
        try
        {
            StatementParser.parse(rule);
            return true;
        }
        catch (final CqlRuleException refusal)
        {
            final int lines = text.split("\r\n|\r|\n", -1).length;
            assertThat(refusal.text()).as(text).isNotEmpty().doesNotContain("{0}", "Sql", "null null");
            if (refusal.message() != Message.PARAMETER_COUNT)
            {
                assertThat(refusal.position()).as(text).isNotNull();
                assertThat(refusal.position().getLineNum()).as(text).isBetween(1, lines);
                assertThat(refusal.position().getColumnNum()).as(text).isBetween(1, text.length() + 1);
                assertThat(refusal.problemOf(rule).excerpt()).as(text).contains("^");
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
