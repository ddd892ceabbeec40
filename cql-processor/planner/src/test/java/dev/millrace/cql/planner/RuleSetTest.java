package dev.millrace.cql.planner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.CqlProblem;
import dev.millrace.cql.language.problem.Message;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowPlan;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several rules together: views, schemas, ordering, fusion, limits. */
@Timeout(60)
class RuleSetTest
{
    private static final RuleText SIMPLE = RuleText.view("v", "select c1, c2 * 10 from N", "a", "b");

    private static CqlProblem only(final Message message, final RuleText... rules)
    {
        final List<CqlProblem> problems = PlanFixture.rules(rules).problems();
        assertThat(problems).hasSize(1);
        assertThat(problems.get(0).code()).as(problems.toString()).isEqualTo(message.code());
        return problems.get(0);
    }

    private static RuleText ordered(
        final String text, final String constraint, final String expression)
    {
        return new RuleText("q", false, text, List.of(), constraint, expression);
    }

    @Test
    void shouldRefuseIdThatIsTaken()
    {
        final CqlProblem problem = only(Message.DUPLICATE_ID, RuleText.query("q", "select i from A"),
            RuleText.view("Q", "select i from A"));
        assertThat(problem.line()).isZero();
        assertThat(problem.excerpt()).isEqualTo("id=\"Q\"\n    ^");
        assertThat(only(Message.DUPLICATE_ID, RuleText.view("a", "select i from N")).text()).contains("a channel");
        assertThat(only(Message.DUPLICATE_ID, RuleText.query("a", "select i from N")).text()).contains("a channel");
    }

    @Test
    void shouldRefuseIdThatIsNoIdentifier()
    {
        only(Message.BAD_ID, RuleText.query("my query", "select i from A"));
        only(Message.BAD_ID, RuleText.query("", "select i from A"));
        only(Message.BAD_ID, RuleText.query("a-b", "select i from A"));
    }

    @Test
    void shouldRefuseSchemaOfOtherLength()
    {
        final CqlProblem problem =
            only(Message.SCHEMA_SIZE, RuleText.view("v", "select c1, c2 from N", "a", "b", "c"));
        assertThat(problem.text()).isEqualTo("the schema has 3 names, the view has 2 columns");
        assertThat(problem.excerpt()).startsWith("schema=\"a b c\"");
    }

    @Test
    void shouldRefuseSchemaWithOneNameTwice()
    {
        only(Message.DUPLICATE_COLUMN, RuleText.view("v", "select c1, c2 from N", "a", "A"));
    }

    @Test
    void shouldSayThatViewComesLater()
    {
        only(Message.VIEW_DECLARED_LATER, RuleText.query("q", "select a from v"), SIMPLE);
    }

    @Test
    void shouldNotRepeatTheProblemsOfAViewInItsReaders()
    {
        final List<CqlProblem> problems = PlanFixture.rules(RuleText.view("v", "select zz from N"),
            RuleText.query("q", "select a, b from v")).problems();
        assertThat(problems.stream().map(CqlProblem::code)).containsExactly(
            Message.UNKNOWN_COLUMN.code(), Message.VIEW_IS_WRONG.code());
    }

    @Test
    void shouldRefuseUnknownConstraint()
    {
        final CqlProblem problem = only(Message.UNKNOWN_ORDERING, ordered("select i from A", "PARTITON_ORDERED", "i"));
        assertThat(problem.hint()).isEqualTo("did you mean PARTITION_ORDERED?");
        assertThat(problem.excerpt()).startsWith("ordering-constraint=\"PARTITON_ORDERED\"");
    }

    @Test
    void shouldRefusePartitionExpressionThatDoesNotFit()
    {
        only(Message.PARTITION_MISSING, ordered("select i from A", "PARTITION_ORDERED", null));
        only(Message.PARTITION_UNUSED, ordered("select i from A", null, "i"));
        only(Message.PARTITION_NOT_COLUMN, ordered("select i from A", "PARTITION_ORDERED", "1 + 1"));
        only(Message.PARTITION_NOT_COLUMN, ordered("select T.i from A as T", "PARTITION_ORDERED", "R.i"));
        final CqlProblem unknown = only(Message.UNKNOWN_COLUMN,
            ordered("select T.symbol from StockTickStream as T", "PARTITION_ORDERED", "T.symbl"));
        assertThat(unknown.excerpt()).isEqualTo("partition-expression=\"T.symbl\"\n" + " ".repeat(24) + "^^^^^");
        assertThat(unknown.hint()).isEqualTo("did you mean symbol?");
    }

    @Test
    void shouldRefusePartitionOrderedWhenStateIsNotSplitByIt()
    {
        final CqlProblem problem = only(Message.PARTITION_ILLEGAL,
            ordered("select c, sum(i) from A group by c", "PARTITION_ORDERED", "i"));
        assertThat(problem.hint()).contains("add i to its PARTITION BY or GROUP BY");
        only(Message.PARTITION_ILLEGAL, ordered("select sum(i) from A", "PARTITION_ORDERED", "i"));
        only(Message.PARTITION_ILLEGAL, ordered("select x from N match_recognize (measures A.c1 as x pattern (A B) " +
            "define B as B.c2 > 1)", "PARTITION_ORDERED", "c1"));
    }

    @Test
    void shouldRefuseReaderThatTearsTheStateOfItsViewApart()
    {
        final RuleText view = RuleText.view("v", "select a, b from N match_recognize (partition by c1 measures " +
            "B.c1 as a, B.c2 as b pattern (A B) define B as B.c2 > A.c2)").partitionOrdered("c1");
        final CqlProblem problem =
            only(Message.PARTITION_ILLEGAL, view, RuleText.query("q", "select b from v").partitionOrdered("b"));
        assertThat(problem.text()).startsWith("view v cannot run partition-ordered by c2");
    }

    @Test
    void shouldRefuseUnorderedWhenStatementKeepsStateOrIsARelation()
    {
        only(Message.UNORDERED_ILLEGAL, ordered("select c, sum(i) from A group by c", "UNORDERED", null));
        only(Message.UNORDERED_RELATION, ordered("select i from A[now]", "UNORDERED", null));
    }

    @Test
    void shouldRefusePartitionColumnThatIsComputed()
    {
        only(Message.PARTITION_COMPUTED, RuleText.view("v", "select c1, sum(c2) as b from N group by c1"),
            RuleText.query("q", "select c1 from v").partitionOrdered("b"));
    }

    @Test
    void shouldRunStatelessQueriesInEveryOrder()
    {
        PlanFixture.rules(ordered("select i from A", "unordered", null))
            .plansLine("query q over A UNORDERED");
        PlanFixture.rules(ordered("select i from A", "ORDERED", null)).plansLine("query q over A ORDERED");
        PlanFixture.rules(ordered("select i from A", "PARTITION_ORDERED", "A.c"))
            .plansLine("query q over A PARTITION_ORDERED by c");
    }

    @Test
    void shouldTraceThePartitionColumnThroughViews()
    {
        PlanFixture.rules(RuleText.view("v1", "select c2, c1 from N", "x", "y"),
            RuleText.view("v2", "select y as z, x + 1 as w from v1"),
            RuleText.query("q", "select z, max(w) from v2 group by z").partitionOrdered("z")).plans("""
            query q over N PARTITION_ORDERED by c1
              calc [x=$1, y=$0]
                calc [z=$1, w=($0 + 1)]
                  group by [$0] [max($1) int] [z=key0, column2=aggregate0]
                    output relation proc.q(z int, column2 int)
            """);
    }

    @Test
    void shouldShareAViewAmongItsReadersAndLeaveOutOthers()
    {
        PlanFixture.rules(SIMPLE, RuleText.view("unused", "select c1 from N"), RuleText.query("q1", "select b from v"),
            RuleText.query("q2", "select a from V where b > 3"), RuleText.query("q3", "select c1 from N")).plans("""
            query q1_q2_q3 over N ORDERED
              calc [a=$0, b=($1 * 10)]
                calc [b=$1]
                  output stream proc.q1(b int)
                calc [a=$0] where ($1 > 3)
                  output stream proc.q2(a int)
              calc [c1=$0]
                output stream proc.q3(c1 int)
            """);
    }

    @Test
    void shouldMakeOnePipelineForEachChannelAndPartitionColumn()
    {
        final ProcessorPlan plan = PlanFixture.rules(RuleText.query("a1", "select i from A").partitionOrdered("i"),
            RuleText.query("a2", "select l from A").partitionOrdered("i"),
            RuleText.query("a3", "select l from A").partitionOrdered("c"), RuleText.query("a4", "select l from A"),
            RuleText.query("ofN", "select c1 from N")).plan();
        assertThat(plan.pipelines().stream().map(PipelinePlan::name)).containsExactly("a1_a2", "a3", "a4", "ofN");
    }

    @Test
    void shouldRunTheViewOfADifferentConstraintInThePipelineOfItsReader()
    {
        PlanFixture.rules(SignalGenerationTest.VIEW, RuleText.query("q", "select symbol from s"))
            .plansLine("query q over StockTickStream ORDERED");
    }

    @Test
    void shouldFuseGroupsOfTheLatestRows()
    {
        for (final String window : new String[] {"range 5 seconds", "rows 3"})
        {
            assertThat(PlanFixture.rules(RuleText.query("q", "IStream(select c, sum(i) as x from A[" + window +
                "] where i > 0 group by c having count(*) > 1)")).plan().pipelines())
                .as(window).hasSize(window.startsWith("range") ? 1 : 0);
        }
        assertThat(PlanFixture.rules(RuleText.query("q", "select c, sum(i) as x from A[rows 3] group by c"))
            .plan().pipelines()).singleElement().matches(pipeline ->
                pipeline.roots().get(0) instanceof Operator.WindowAggregate window && window.window().rows() == 3 ||
                pipeline.roots().get(0) instanceof Operator.Calc);
        for (final String flow : new String[] {"select max(i) as x from A[rows 3]",
            "select sum(i) as x from A[range 5 seconds] group by c", "RStream(select sum(i) as x from A[rows 3])",
            "select sum(distinct i) as x from A[rows 3]", "select sum(i / l) as x from A[rows 3]",
            "select c, sum(i) as x from A[rows 4 slide 2] group by c"})
        {
            assertThat(PlanFixture.rules(RuleText.query("q", flow)).plan().flows()).as(flow).hasSize(1);
        }
    }

    @Test
    void shouldFuseTheNewRowsOfAWindow()
    {
        for (final String window : new String[] {"range 5 seconds", "rows 3", "partition by c rows 3"})
        {
            PlanFixture.rules(RuleText.query("q", "IStream(select i, c from A[" + window + "]" +
                (window.startsWith("part") ? " where c = 'a')" : ")")))
                .plansLine("new rows of window " + (window.startsWith("range") ? "range 5000000000 ns" : "rows 3") +
                    " [i=$0, c=$1]");
        }
        PlanFixture.rules(RuleText.query("q", "IStream(select i + 1 as j from A[range 1 second] where c = 'a')"))
            .plansLine("new rows of window range 1000000000 ns [j=$0]");
        for (final String flow : new String[] {"IStream(select i from A[rows 3] where i > 0)",
            "IStream(select i / l as j from A[rows 3])",
            "DStream(select i from A[range 5 seconds])", "RStream(select i from A[range 5 seconds])",
            "select i from A[range 5 seconds]", "IStream(select i from A[range 5 seconds slide 5 seconds])",
            "IStream(select i from A[partition by c rows 3])"})
        {
            assertThat(PlanFixture.rules(RuleText.query("q", flow)).plan().flows()).as(flow).hasSize(1);
        }
    }

    @Test
    void shouldRunQueriesThatShareAViewAsOneFlowUnlessOneWaitsForMore()
    {
        final RuleText view = RuleText.view("v", "IStream(select c, max(i) as m from A group by c)");
        final ProcessorPlan plan = PlanFixture.rules(view, RuleText.query("q1", "select m from v where m > 1"),
            RuleText.query("q2", "RStream(select m from v[range 1 second slide 1 second])"),
            RuleText.query("q3", "IStream(select v.m from v[now] as v, N[rows 1] as n)"),
            RuleText.query("q4", "RStream(select i from A[range 1 second slide 1 second])")).plan();
        assertThat(plan.flows().stream().map(FlowPlan::name)).containsExactly("q1_q2", "q3", "q4");
        assertThat(plan.flows().get(0).sources()).hasSize(1);
    }

    @Test
    void shouldPlanNothingWhenThereAreOnlyViews()
    {
        assertThat(PlanFixture.rules(SIMPLE).plan().pipelines()).isEmpty();
        assertThat(PlanFixture.rules().plan().pipelines()).isEmpty();
    }

    @Test
    void shouldReadAViewThatIsARelationWithoutWindowOnly()
    {
        assertThat(PlanFixture.rules(RuleText.view("v", "select c, sum(i) as x from A group by c"),
            RuleText.query("q", "select x from v")).plan().pipelines()).singleElement()
            .matches(pipeline -> pipeline.outputs().get(0).kind() == Operator.OutputKind.RELATION);
        only(Message.WINDOW_ON_RELATION, RuleText.view("v", "select i from A[now]"),
            RuleText.query("q", "select i from v[now]"));
    }

    @Test
    void shouldJoinAViewWithACache()
    {
        PlanFixture.rules(
            RuleText.view("v", "select symbol as s, lastPrice as p from StockTickStream where volume > 1"),
            RuleText.query("q", "RStream(select v.p, R.sector from v[now], symbolsRelation as R " +
                "where v.s = R.symbol and R.lotSize > 5)")).plans("""
            query q over StockTickStream ORDERED
              calc [s=$0, p=$1] where ($2 > 1)
                lookup symbolsRelation on relation.$0 = $0 [p=$1, sector=relation.$1] where (relation.$2 > 5)
                  output stream proc.q(p double, sector char)
            """);
    }

    @Test
    void shouldCompareAColumnWithAConstantOfAView()
    {
        final RuleText view = RuleText.view("v", "select k, 'x' as tag from S2");
        assertThat(PlanFixture.rules(view, RuleText.query("q", "select k from v where k = tag")).plan().flows())
            .hasSize(1);
        PlanFixture.rules(view, RuleText.query("q", "select k, tag from v where tag = 'x'"))
            .plansLine("calc [k=$0, tag=$1] where ($1 = 'x')");
    }

    @Test
    void shouldPlanPatternThatNamesNoColumn()
    {
        PlanFixture.rules(RuleText.query("q", "select T.one from N match_recognize (measures 1 as one pattern (A B) " +
            "define B as true) as T")).plansLine("row 1: true");
    }

    @Test
    void shouldRefuseTextThatIsTooLong()
    {
        only(Message.TEXT_TOO_LONG, RuleText.query("q", "select i from A" + " ".repeat(70_000)));
    }

    @Test
    void shouldRefuseDeepNestingWithoutOverflow()
    {
        only(Message.TOO_DEEP, RuleText.query("q", "select " + "(".repeat(10_000) + "i" + ")".repeat(10_000) +
            " from A"));
        only(Message.TOO_DEEP, RuleText.query("q", "select i from A where " + "not ".repeat(10_000) + "i > 1"));
        only(Message.TOO_DEEP, RuleText.query("q", "select i from A where i > " + "- ".repeat(10_000) + "1 + i"));
        only(Message.TOO_MANY_TERMS, RuleText.query("q", "select i" + " + i".repeat(10_000) + " from A"));
        only(Message.TOO_DEEP, RuleText.query("q", "RStream(" + "(".repeat(10_000)));
    }

    @Test
    void shouldAcceptNestingUpToTheLimitAndLongLists()
    {
        PlanFixture.query("select " + "(".repeat(190) + "i" + ")".repeat(190) + " from A").plan();
        PlanFixture.query("select i" + " + i".repeat(190) + " from A").plan();
        PlanFixture.query("select i from A where i in (" + IntStream.range(0, 5_000).mapToObj(Integer::toString)
            .collect(Collectors.joining(",")) + ")").plan();
        PlanFixture.query("select i from A where i = 1" + " or i = 2".repeat(900)).plan();
    }

    @Test
    void shouldRefuseTooManyColumns()
    {
        only(Message.TOO_MANY_COLUMNS, RuleText.query("q", "select i" + ",i".repeat(10_000) + " from A"));
    }

    @Test
    void shouldStopAtTheDeadline()
    {
        try
        {
            new RulePlanner(0).plan("proc", List.of(RuleText.query("q", "select i from A")), PlanFixture.CATALOG);
        }
        catch (final CqlException e)
        {
            assertThat(e.problems()).hasSize(1);
            assertThat(e.problems().get(0).code()).isEqualTo(Message.TOO_SLOW.code());
            return;
        }
        throw new AssertionError("no deadline");
    }

    @Test
    void shouldCallItsOwnMistakesByName()
    {
        final RuleText rule = RuleText.query("q", "select i from A");
        final RuleSetPlanner planner =
            new RuleSetPlanner(List.of(rule), PlanFixture.CATALOG, 1_000, each -> false, null);
        planner.guarded(rule, () ->
        {
            throw new IllegalStateException("org.apache.calcite.Secret");
        });
        final CqlProblem problem = planner.problems().get(0);
        assertThat(problem.code()).isEqualTo(Message.INTERNAL.code());
        assertThat(problem.toString()).contains("bug of Millrace", "report").doesNotContain("calcite");
    }
}
