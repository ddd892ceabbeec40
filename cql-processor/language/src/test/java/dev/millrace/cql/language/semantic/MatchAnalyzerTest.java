package dev.millrace.cql.language.semantic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.syntax.MatchClause;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Analysis of patterns: their shape, and the values that conditions and measures read from the match. */
@Timeout(60)
class MatchAnalyzerTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "A ~ A",
        "A B C ~ (A B C)",
        "((A) (B (C))) ~ (A B C)",
        "A B | C ~ ((A B)|C)",
        "A (B | C) ~ (A (B|C))",
        "A | B | C ~ (A|B|C)",
        "A* B+ C? ~ (A{0,} B{1,} C{0,1})",
        "A*? B+? C?? ~ (A{0,}? B{1,}? C{0,1}?)",
        "(A B)* C ~ ((A B){0,} C)",
        "(A+)* ~ A{1,}{0,}",
        "A{3} ~ A{3,3}",
        "A{3,} B ~ (A{3,} B)",
        "A{3,5}? ~ A{3,5}?",
        "A{,5} ~ A{0,5}",
        "permute(A, B) ~ permute(A,B)",
        "PERMUTE(A, B C, D*)+ ~ permute(A,(B C),D{0,}){1,}",
        "permute ~ permute",
        "(() | A) B ~ ((()|A) B)",
        "A ()? ~ (A (){0,1})",
        "A B A ~ (A B A)",
        "(A | B)* X ~ ((A|B){0,} X)",
        "B* B C? (B+? | C+?)? ~ (B{0,} B C{0,1} (B{1,}?|C{1,}?){0,1})"})
    void shouldReadPattern(final String pattern, final String expected)
    {
        assertThat(MatchFixture.pattern(MatchFixture.parse("measures 1 as x pattern (" + pattern + ") define A as " +
            "A.c2 = 1").match().pattern())).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "A.c2 = 1 ~ A: =(A.last.c2, 1)",
        "A.flag ~ A: A.last.flag",
        "c2 > 1 ~ A: >(*.last.c2, 1)",
        "B.c2 is null ~ A: IS NULL(B.last.c2)",
        "U.c2 < prev(A.c2) ~ A: <(AB.last.c2, A.last@-1.c2)",
        "A.c2 < prev(A.c2, 2) ~ A: <(A.last.c2, A.last@-2.c2)",
        "A.c2 = prev(A.c2, 1, 2000) ~ A: =(A.last.c2, A.last@-1<=2000.c2)",
        "prev(c2) < 5 ~ A: <(*.last@-1.c2, 5)",
        "prev(A.c2 * A.c1) < 5 ~ A: <(*(A.last@-1.c2, A.last@-1.c1), 5)",
        "prev(last(B.c2, 1), 3) = 0 ~ A: =(B.last+1@-3.c2, 0)",
        "prev(first(A.c2)) = 0 ~ A: =(A.first@-1.c2, 0)",
        "last(A.c2, 1) is null ~ A: IS NULL(A.last+1.c2)",
        "first(A.c2, 3) > 1 ~ A: >(A.first+3.c2, 1)",
        "last(c2, 7) > 1 ~ A: >(*.last+7.c2, 1)",
        "count(A.*) < 3 ~ A: <(count[A][], 3)",
        "count(*) < 3 ~ A: <(count[*][], 3)",
        "count(1) < 3 ~ A: <(count[*][], 3)",
        "count(U.*) < 3 ~ A: <(count[AB][], 3)",
        "count(A.c2) < 3 ~ A: <(count[A][#1], 3)",
        "count(distinct A.c2) < 3 ~ A: <(count[A]distinct[#1], 3)",
        "sum(A.c2) < 30 and sum(B.c2) > 1 ~ A: AND(<(sum[A][#1], 30), >(sum[B][#1], 1))",
        "sum(c2) < 30 ~ A: <(sum[*][#1], 30)",
        "sum(A.c2 * 2 + A.c1) < 30 ~ A: <(sum[A][+(*(#1, 2), #0)], 30)",
        "max(U.c2) - min(B.c2) < 30 ~ A: <(-(max[AB][#1], min[B][#1]), 30)",
        "avg(A.price) < 15 ~ A: <(avg[A][#2], 15)",
        "running sum(A.c2) < 30 ~ A: <(sum[A][#1], 30)",
        "running last(A.c2) < 30 ~ A: <(A.last.c2, 30)",
        "A.element_time > 5 ~ A: >(A.last.TIME, 5)",
        "max(A.element_time) > 5 ~ A: >(max[A][#6], 5)",
        "classifier(U) = 'A' ~ A: =(classifier[AB], 'A')",
        "a.C2 = A.c2 ~ A: =(A.last.c2, A.last.c2)",
        "not (A.c2 = 1 or A.c2 = 2) ~ A: NOT(OR(=(A.last.c2, 1), =(A.last.c2, 2)))",
        "case when A.c2 = 1 then 2 else B.c1 end = 2 ~ A: =(CASE(=(A.last.c2, 1), 2, B.last.c1), 2)",
        "1 = 1 ~ A: =(1, 1)"})
    void shouldSeeRunningMatchInConditions(final String condition, final String expected)
    {
        assertThat(MatchFixture.show(MatchFixture.analyze("measures 1 as x pattern (A B+) subset U = (A, B) " +
            "define A as " + condition))).isEqualTo(expected + "; x int: 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "A.c1 ~ x int: A.last.c1",
        "c1 ~ x int: *.last.c1",
        "A.price - B.price ~ x double: -(A.last.price, B.last.price)",
        "A.f * 2 ~ x float: *(A.last.f, 2)",
        "first(B.c1) ~ x int: B.first.c1",
        "first(id) ~ !",
        "last(c1, 2) ~ x int: *.last+2.c1",
        "last(B.c1 + B.c2) ~ x int: +(B.last.c1, B.last.c2)",
        "first(A.c1) + last(B.c2, 4) ~ x int: +(A.first.c1, B.last+4.c2)",
        "prev(A.c1) ~ x int: A.last@-1.c1",
        "prev(A.c1, 0) ~ x int: A.last.c1",
        "next(B.c1) ~ x int: B.last@1.c1",
        "next(B.c1, 4) ~ x int: B.last@4.c1",
        "next(first(B.c1, 2), 4) ~ x int: B.first+2@4.c1",
        "prev(final last(B.c1), 2) ~ x int: B.last@-2!.c1",
        "final last(B.c1) ~ x int: B.last!.c1",
        "final first(B.c1, 2) ~ x int: B.first+2!.c1",
        "final sum(B.c1) ~ x int: sum[B!][#0]",
        "final count(B.*) ~ x bigint: count[B!][]",
        "running count(B.*) ~ x bigint: count[B][]",
        "count(B.*) + 1 ~ x bigint: +(count[B][], 1)",
        "sum(B.c1) ~ x int: sum[B][#0]",
        "avg(B.c1) ~ x float: avg[B][#0]",
        "avg(B.price) ~ x double: avg[B][#2]",
        "avg(S5.c2) ~ x float: avg[AB][#1]",
        "max(S5.name) ~ x char: max[AB][#3]",
        "classifier() ~ x char: classifier[*]",
        "classifier(B) ~ x char: classifier[B]",
        "match_number() ~ x bigint: match_number",
        "first(classifier()) ~ x char: classifier[*].first",
        "last(classifier(B), 2) ~ x char: classifier[B].last+2",
        "prev(classifier()) ~ x char: classifier[*].last@-1",
        "next(first(classifier(S5), 1)) ~ x char: classifier[AB].first+1@1",
        "sum(match_number()) ~ x bigint: sum[*][#7]",
        "count(distinct classifier(B)) ~ x bigint: count[B]distinct[#8]",
        "max(B.element_time) - A.element_time ~ x bigint: -(max[B][#6], A.last.TIME)",
        "count(distinct B.name) ~ x bigint: count[B]distinct[#3]"})
    void shouldSeeFinishedMatchInMeasures(final String measure, final String expected)
    {
        final String clauses = "measures " + measure + " as x pattern (A B+) subset S5 = (A, B) define A as A.c2 = 1";
        if (expected.equals("!"))
        {
            MatchFixture.fails(Message.UNKNOWN_COLUMN, clauses.replace("id", "^id^"), "S has no column id");
            return;
        }
        assertThat(MatchFixture.show(MatchFixture.analyze(clauses))).isEqualTo("A: =(A.last.c2, 1); " + expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "measures A.c1 as x ~ x int: A.last.c1",
        "partition by c2, name measures A.c1 as x ~ x int: A.last.c1",
        "partition by c2 measures A.c1 as x one row per match ~ c2 int: row.c2; x int: A.last.c1",
        "partition by c2 measures A.c1 as C2 one row per match ~ C2 int: A.last.c1",
        "partition by c2 one row per match ~ c2 int: row.c2",
        "partition by name measures A.c1 as x all rows per match ~ name char: row.name; x int: A.last.c1; " +
            "c1 int: row.c1; c2 int: row.c2; price double: row.price; flag boolean: row.flag; f float: row.f",
        "order by element_time measures A.c1 as x ~ x int: A.last.c1",
        "partition by S.c1 order by S.element_time asc measures A.c1 as x ~ x int: A.last.c1"})
    void shouldPutOutWhatRowsPerMatchSays(final String clauses, final String expected)
    {
        assertThat(MatchFixture.show(MatchFixture.analyze(clauses + " pattern (A) define A as A.c2 = 1")))
            .isEqualTo("A: =(A.last.c2, 1); " + expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "within 3000 milliseconds ~ 3000000000 false",
        "within 10 ~ 10000000000 false",
        "within 1 hours ~ 3600000000000 false",
        "within inclusive 500 microseconds ~ 500000 true",
        "within 2.5 seconds ~ 2500000000 false",
        "within 1 nanosecond ~ 1 false",
        "within interval '0 00:00:05.00' day to second ~ 5000000000 false",
        "within inclusive interval '5' second ~ 5000000000 true",
        "within 1 day subset U = (A) ~ 86400000000000 false"})
    void shouldReadWithin(final String within, final String expected)
    {
        final MatchClause.Limit limit = MatchFixture.analyze("measures A.c1 as x pattern (A) " + within +
            " define A as A.c2 = 1").match().within();
        assertThat(limit.period().ns() + " " + limit.special()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "duration 5 ~ 5000000000 false",
        "duration 5 minutes ~ 300000000000 false",
        "duration multiples of 10 ~ 10000000000 true",
        "duration multiples of 200 milliseconds ~ 200000000 true"})
    void shouldReadDuration(final String duration, final String expected)
    {
        final MatchClause.Limit limit = MatchFixture.analyze("measures A.c1 as x include timer events pattern (A B*) " +
            duration + " define A as A.c2 = 1").match().duration();
        assertThat(limit.period().ns() + " " + limit.special()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "duration c2 ~ 1 1000000000 false",
        "duration A.c2 minutes ~ 1 60000000000 false",
        "duration U.c2 ~ 1 1000000000 false",
        "duration multiples of c1 hours ~ 0 3600000000000 true"})
    void shouldReadDurationByColumnOfTheFirstRow(final String duration, final String expected)
    {
        final LogicalMatch match = MatchFixture.analyze("measures A.c1 as x include timer events pattern (A B*) " +
            duration + " subset U = (A, B) define A as A.c2 = 1");
        assertThat(match.duration() + " " + match.match().duration().period().ns() + " " +
            match.match().duration().special()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "past last row ~ PAST_LAST_ROW 0",
        "to next row ~ TO_NEXT_ROW 0",
        "to first B ~ TO_FIRST 2",
        "to last A ~ TO_LAST 1",
        "to B ~ TO_LAST 2",
        "to U ~ TO_LAST 3",
        "to first U ~ TO_FIRST 3"})
    void shouldReadSkip(final String skip, final String expected)
    {
        final LogicalMatch match = MatchFixture.analyze("measures A.c1 as x after match skip " + skip +
            " pattern (A B) subset U = (A, B) define A as A.c2 = 1");
        assertThat(match.match().skip().kind() + " " + match.skip()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "one row per match ~ ONE",
        "all rows per match ~ ALL_SHOW_EMPTY",
        "all rows per match show empty matches ~ ALL_SHOW_EMPTY",
        "all rows per match omit empty matches ~ ALL_OMIT_EMPTY",
        "all rows per match with unmatched rows ~ ALL_WITH_UNMATCHED",
        "all rows per match after match skip to next row ~ ALL_SHOW_EMPTY",
        "one row per match all matches ~ ONE"})
    void shouldReadRowsPerMatch(final String rows, final MatchClause.RowsKind expected)
    {
        assertThat(MatchFixture.analyze("measures A.c1 as x " + rows + " pattern (A) define A as A.c2 = 1").match()
            .rows().kind()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"subset U = (A, B) V = (B, C)", "subset U = (A, B), V = (B, C)",
        "subset u = (a, b), v = (c, b)"})
    void shouldReadSubsetsWithAndWithoutCommas(final String subset)
    {
        assertThat(MatchFixture.show(MatchFixture.analyze("measures sum(U.c2) as x, last(V.c1) as y pattern (A B C) " +
            subset + " define A as A.c2 = 1"))).isEqualTo(
                "A: =(A.last.c2, 1); x int: sum[AB][#1]; y int: BC.last.c1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '~', value = {
        "A B* C ~ B",
        "A (B | C)+ ~ B",
        "A B{2,} ~ B",
        "A (B D)* C ~ -",
        "A B*? C ~ -",
        "A B? C ~ -",
        "A B{1,5} C ~ -",
        "A+ B C ~ -",
        "A B+ within 5 ~ -",
        "D* A ~ D"})
    void shouldWarnOfLoopsThatNeverEnd(final String pattern, final String expected)
    {
        final String within = pattern.contains("within") ? " within 5 " : "";
        final LogicalMatch match = MatchFixture.analyze("measures A.c1 as x pattern (" +
            pattern.replace(" within 5", "") + ")" + within + " define A as A.c2 = 1");
        assertThat(match.warnings()).hasSize(expected.equals("-") ? 0 : 1);
        match.warnings().forEach(warning -> assertThat(warning.text()).startsWith(expected + " is not defined"));
    }

    @Test
    void shouldNotWarnWhenAllMatchesAreReported()
    {
        assertThat(MatchFixture.analyze("measures A.c1 as x all matches pattern (A B*) define A as A.c2 = 1")
            .warnings()).isEmpty();
    }

    @Test
    void shouldShowVariablesInUpperCaseUnlessQuoted()
    {
        final LogicalMatch match = MatchFixture.analyze("measures strt.c1 as x pattern (strt `down`+ Up) " +
            "define STRT as Strt.c2 = 1");
        assertThat(match.variables()).containsExactly("STRT", "down", "UP");
        assertThat(match.readsElementTime()).isFalse();
    }

    @Test
    void shouldSayWhenTimesOfRowsAreRead()
    {
        assertThat(MatchFixture.analyze("measures A.element_time as x pattern (A) define A as A.c2 = 1")
            .readsElementTime()).isTrue();
        assertThat(MatchFixture.analyze("measures max(A.element_time + 1) as x pattern (A) define A as A.c2 = 1")
            .readsElementTime()).isTrue();
    }

    @Test
    void shouldTakeSixtyFourVariables()
    {
        final StringBuilder pattern = new StringBuilder();
        for (int i = 0; i < 64; i++)
        {
            pattern.append(" V").append(i);
        }
        assertThat(MatchFixture.analyze("measures V63.c1 as x pattern (" + pattern + ") define V0 as V0.c2 = 1")
            .variables()).hasSize(64);
        MatchFixture.fails(Message.TOO_MANY_VARIABLES, "measures V63.c1 as x pattern (" + pattern +
            " ^W^) define V0 as V0.c2 = 1", "more than 64 variables");
    }
}
