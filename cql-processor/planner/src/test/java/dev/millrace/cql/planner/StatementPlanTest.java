package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.EventType;
import dev.millrace.cql.plan.Operator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Valid statements, and the operators to which they are planned. */
@Timeout(60)
class StatementPlanTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0000', value = {
        "i + 2 * 3 | ($0 + (2 * 3))",
        "(i + 2) * 3 | (($0 + 2) * 3)",
        "i - 1 - 2 | (($0 - 1) - 2)",
        "i / 2 * 3 | (($0 / 2) * 3)",
        "i + f | (float($0) + $2)",
        "l + i | ($1 + bigint($0))",
        "(i + 1) * d | (double(($0 + 1)) * $3)",
        "f + d | (double($2) + $3)",
        "l * f | (float($1) * $2)",
        "100*d | (100.0 * $3)",
        "100*(d - 2)/d | ((100.0 * ($3 - 2.0)) / $3)",
        "f * 0.1 | ($2 * 0.1f)",
        "d * 0.1 | ($3 * 0.1)",
        "i * 0.5 | (double($0) * 0.5)",
        "f + 0.1d | (double($2) + 0.1)",
        "d + 0.1f | ($3 + 0.10000000149011612)",
        "f + 2 | ($2 + 2.0f)",
        "1.5 + 2.5 | (1.5 + 2.5)",
        "f - (1.5 + 2.5) | (double($2) - (1.5 + 2.5))",
        "i - null | null",
        "-i | -$0",
        "+i | $0",
        "- -i | $0",
        "-0.0 | -0.0",
        "d * -0.0 | ($3 * -0.0)",
        "25f | 25.0f",
        "-1D | -1.0",
        "7 | 7",
        "-2147483648 | -2147483648",
        "2147483648 | 2147483648L",
        "7L | 7L",
        "1.5e2 | 150.0",
        ".5 | 0.5",
        "'it''s' | 'it's'",
        "\"text\" | 'text'",
        "true | true",
        "`i` | $0",
        "a.I | $0"})
    void shouldKeepArithmeticAsWrittenAndWidenOperands(final String value, final String planned)
    {
        PlanFixture.query("select " + value + " as r from A").plansLine("calc [r=" + planned + "]");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0000', value = {
        "i = 1 | ($0 = 1)",
        "i <> 1 | ($0 <> 1)",
        "i != 1 | ($0 <> 1)",
        "i >= l | (bigint($0) >= $1)",
        "i > 2.5 | (double($0) > 2.5)",
        "f = 0.14 | ($2 = 0.14f)",
        "c = 'x' | ($4 = 'x')",
        "c < c2 | ($4 < $12)",
        "b = true | ($5 = true)",
        "b | $5",
        "not b | not $5",
        "t > t | ($6 > $6)",
        "i is null | $0 is null",
        "c is not null | $4 is not null",
        "i between 1 and 2.5 | (($0 >= 1) and (double($0) <= 2.5))",
        "i not between 1 and 2 | not (($0 >= 1) and ($0 <= 2))",
        "i in (1, 2l) | (($0 = 1) or (bigint($0) = 2L))",
        "i in (1) | ($0 = 1)",
        "c not in ('a', 'b') | not (($4 = 'a') or ($4 = 'b'))",
        "i = 1 or i = 2 and l = 3 | (($0 = 1) or (($0 = 2) and ($1 = 3L)))",
        "i = 1 xor l = 2 or b | ((($0 = 1) xor ($1 = 2L)) or $5)",
        "i = 1 xor l = 2 and b | (($0 = 1) xor (($1 = 2L) and $5))",
        "not i = 1 and b | (not ($0 = 1) and $5)",
        "i = null | null",
        "null is null | true",
        "i in (1, null) | (($0 = 1) or null)",
        "(i = 1) and (l = 2 and b) | (($0 = 1) and ($1 = 2L) and $5)"})
    void shouldPlanConditions(final String condition, final String planned)
    {
        PlanFixture.query("select l as r from A where " + condition).plansLine("calc [r=$1] where " + planned);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "select c1, c2 from N | stream",
        "select c1, c2 from N[range unbounded] | stream",
        "IStream(select c1, c2 from N) | stream",
        "RStream(select c1, c2 from N [now]) | stream",
        "rstream((select c1, c2 from n[NOW])) | stream",
        "select c1, c2 from N[now] | now_relation",
        "SELECT * FROM N | stream",
        "select n.* from N | stream"})
    void shouldTellStreamsFromRelations(final String text, final String kind)
    {
        PlanFixture.query(text).plans("""
            query q over N ORDERED
              calc [c1=$0, c2=$1]
                output %s proc.q(c1 int, c2 int)
            """.formatted(kind));
    }

    @Test
    void shouldNameColumnsByAliasAttributeOrPlace()
    {
        PlanFixture.query("select C1 as X, c2, C2 + 1, c1, c2 from N").plansLine(
            "output stream proc.q(X int, c2 int, column3 int, c1 int, c2_2 int)");
        PlanFixture.query("select c1, c2 as c1 from N").plansLine("output stream proc.q(c1_2 int, c1 int)");
    }

    @ParameterizedTest
    @CsvSource({"sum(i),int", "sum(l),bigint", "sum(f),float", "sum(d),double", "avg(i),float", "avg(l),float",
        "avg(f),float", "avg(d),double", "min(i),int", "max(d),double", "count(c),bigint", "count(*),bigint",
        "sum(i + d),double", "SUM(f * 0.5),float", "sum(i) / count(*),bigint", "avg(1.5),double"})
    void shouldTypeAggregates(final String aggregate, final String type)
    {
        PlanFixture.query("select " + aggregate + " as r from A").plansLine("output relation proc.q(r " + type + ")");
    }

    @Test
    void shouldPlanGroupsWithFilterKeysAndAliases()
    {
        PlanFixture.query("select c as name, i + 1 as k, count(*) as n from A where d > 1 group by c, i + 1 " +
            "having n > 2 and name <> 'x'").plans("""
            query q over A ORDERED
              calc [column0=$4, column1=($0 + 1)] where (($3 > 1.0) and ($4 <> 'x'))
                group by [$0, $1] [count(*) bigint] [name=key0, k=key1, n=aggregate0] having (aggregate0 > 2L)
                  output relation proc.q(name char, k int, n bigint)
            """);
    }

    @Test
    void shouldPlanMeasuresWithArithmeticAndConditionAfterTheMatch()
    {
        PlanFixture.query("select T.a * 2 as twice, T.b - T.a as diff from N match_recognize (measures A.c2 as a, " +
            "B.c2 as b pattern (A B) define B as B.c2 > A.c2) as T where T.b > 25").plans("""
            query q over N ORDERED
              pattern partition by [] [a=$1@1, b=$1@0]
                  row 0: any
                  row 1: ($1@0 > $1@1)
                calc [twice=($0 * 2), diff=($1 - $0)] where ($1 > 25)
                  output stream proc.q(twice int, diff int)
            """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0000', value = {
        "B.c2 > A.c2 | ($1@0 > $1@1)",
        "c2 > 1 | ($1@0 > 1)",
        "B.c2 > prev(B.c2) | ($1@0 > $1@1)",
        "B.c2 > prev(B.c2, 2) | ($1@0 > $1@2)",
        "B.c2 > prev(c2, 3) | ($1@0 > $1@3)",
        "b.C2 = a.C1 | ($1@0 = $0@1)",
        "last(A.c2) = 1 | ($1@1 = 1)",
        "last(A.c2, 0) = 1 | ($1@1 = 1)",
        "last(A.c2, 2) is null | true",
        "first(c2) = last(c2, 1) | ($1@1 = $1@1)",
        "first(c2, 1) = 5 | ($1@0 = 5)",
        "C.c2 > 1 | null",
        "C.c2 is null | true"})
    void shouldPlanConditionsOfVariables(final String condition, final String planned)
    {
        PlanFixture.query("select x from N match_recognize (measures A.c1 as x pattern (A B C) define B as " +
            condition + ")").plansLine("row 1: " + planned);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\u0000', value = {
        "A.c1 | $0@2",
        "B.c1 + C.c1 | ($0@1 + $0@0)",
        "c1 | $0@0",
        "prev(A.c1) | $0@3",
        "prev(B.c1, 5) | $0@6",
        "first(c1) | $0@2",
        "last(c1, 1) | $0@1",
        "last(B.c1) | $0@1",
        "100 * (C.c1 - 0.5) | (100.0 * (double($0@0) - 0.5))"})
    void shouldPlanMeasures(final String measure, final String planned)
    {
        PlanFixture.query("select x from N match_recognize (partition by c1, N.c2 measures " + measure +
            " as x all matches pattern (A B C) define B as B.c2 > 1) as T")
            .plansLine("pattern all partition by [0, 1] [x=" + planned + "]");
    }

    @Test
    void shouldAggregateMatches()
    {
        PlanFixture.query("select x, count(*) as n from N match_recognize (measures B.c1 as x pattern (A B) " +
            "define B as B.c2 > A.c2) as T group by x").plansLine(
            "group by [$0] [count(*) bigint] [x=key0, n=aggregate0]");
    }

    @Test
    void shouldLookUpWithWidenedKeyAndFurtherConditions()
    {
        PlanFixture.query("RStream(select T.i, R.n as name from A[now] as T, byNumber as R where T.i > 2 and " +
            "R.id = T.i and R.n <> T.c)").plans("""
            query q over A ORDERED
              lookup byNumber on relation.$0 = bigint($0) [i=$0, name=relation.$1] where (($0 > 2) and (relation.$1 \
            <> $4))
                output stream proc.q(i int, name char)
            """);
    }

    @Test
    void shouldExpandStarsOfAJoinInOrder()
    {
        PlanFixture.query("RStream(select * from symbolsRelation as R, StockTickStream[now] as T " +
            "where R.symbol = T.symbol)").plansLine("output stream proc.q(symbol char, sector char, lotSize int, " +
            "symbol_2 char, lastPrice double, volume int)");
    }

    @Test
    void shouldAcceptKeywordsAsNames()
    {
        PlanFixture.query("select count.i as value, count.l as now, count.d as rows, count.c as range, " +
            "count.b as partition, count.f as measures, count.t as user from A as count where count.i > 1")
            .plansLine("output stream proc.q(value int, now bigint, rows double, range char, partition boolean, " +
                "measures float, user timestamp)");
    }

    @Test
    void shouldKeepTextOfAnyLanguage()
    {
        PlanFixture.query("select i from A where c = '\u00fc\u4e2d\ud83d\ude00'")
            .plansLine("calc [i=$0] where ($4 = '\u00fc\u4e2d\ud83d\ude00')");
    }

    @Test
    void shouldNameTheOutputTypeAndKeepLengthsOfTexts()
    {
        final Operator.Output output = PlanFixture.query("select c, i as n from A").plan().pipelines().get(0)
            .outputs().get(0);
        assertThat(output.type().name()).isEqualTo("proc.q");
        assertThat(output.type().kind()).isEqualTo(EventType.Kind.TUPLE);
        assertThat(output.queryId()).isEqualTo("q");
    }
}
