package dev.millrace.cql.processor.unit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.Catalog;
import dev.millrace.cql.language.problem.CqlException;
import dev.millrace.cql.language.problem.RuleText;
import dev.millrace.cql.plan.Operator;
import dev.millrace.cql.plan.PipelinePlan;
import dev.millrace.cql.plan.ProcessorPlan;
import dev.millrace.cql.plan.flow.FlowNode;
import dev.millrace.cql.plan.flow.FlowPlan;
import dev.millrace.cql.planner.RulePlanner;
import dev.millrace.cql.planner.RuleSetPlan;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Plans that reuse an earlier plan of the same processor equal those that plan all rules. */
@Tag("slow")
@Timeout(120)
class ChangedRulesTest
{
    private static final int CHANGES = Integer.getInteger("changes", 120);
    private static final int MOST_RULES = 24;
    private static final EventType PAIR = EventType.tuple("Pair", new EventProperty("c1", CqlType.INT),
        new EventProperty("c2", CqlType.INT));
    private static final Catalog CATALOG = Catalog.builder().stream("N", PAIR)
        .channel("A", EventType.tuple("Wide", new EventProperty("c1", CqlType.INT),
            new EventProperty("c2", CqlType.INT), new EventProperty("name", CqlType.CHAR)), false, false)
        .add(new Catalog.ChannelSource("R", PAIR, true, true, List.of("c1")))
        .cache("C", PAIR, List.of("c1")).build();

    /** Statements over a source with the columns c1 and c2; the number makes some of them different. */
    private static final List<String> OF_TWO_COLUMNS = List.of(
        "select c1, c2 from %1$s",
        "select c1, c2 + %2$d as c2 from %1$s where c1 > %2$d",
        "select c1, c2 from %1$s where c1 = %2$d",
        "istream(select c1, c2 from %1$s [range %2$d seconds])",
        "istream(select c1, count(*) as c2 from %1$s [range %3$d seconds] group by c1)",
        "select c1, sum(c2) as c2 from %1$s [rows %2$d] group by c1",
        "select c1, max(c2) as c2 from %1$s [partition by c1 rows %2$d] group by c1",
        "istream(select a.c1 as c1, b.c2 as c2 from %1$s [range 5 seconds] as a, %4$s [rows %3$d] as b " +
            "where a.c1 = b.c1)",
        "istream(select a.c1 as c1, b.c2 as c2 from %1$s [range %3$d seconds] as a " +
            "left outer join %4$s [rows 9] as b on a.c1 = b.c1)",
        "select x.c1, x.c2 from %1$s match_recognize (partition by c1 measures A.c1 as c1, B.c2 as c2 " +
            "pattern (A B) define B as B.c2 > A.c2 + %2$d) as x",
        "select x.c1, x.c2 from %1$s match_recognize (partition by c1 measures A.c1 as c1, C.c2 as c2 " +
            "pattern (A B* C) within %3$d seconds define B as B.c2 > A.c2, C as C.c2 < %2$d) as x",
        "istream(select a.c1 as c1, b.c2 as c2 from %1$s [range %3$d seconds] as a, C as b where a.c1 = b.c1)",
        "select c1, c2 from %1$s where element_time > %2$dL",
        "istream(select distinct c1, c2 from %1$s [range %3$d seconds])",
        "istream(select c1, c2 from %1$s [range %3$d seconds] order by c2 desc rows %2$d)");

    private final List<RuleText> rules = new ArrayList<>();
    private Random random;
    private int reused;
    private int refused;

    /** A plan as text, in which nodes that are one object have one number, in all flows together. */
    private static String shape(final ProcessorPlan plan)
    {
        final StringBuilder text = new StringBuilder(new RulePlanner().explain(plan));
        final Map<FlowNode, Integer> numbers = new IdentityHashMap<>();
        for (final FlowPlan flow : plan.flows())
        {
            text.append(flow.name()).append(flow.ordering()).append('\n');
            for (final FlowPlan.Output output : flow.outputs())
            {
                text.append(output.queryId()).append(' ').append(output.type().name());
                for (final FlowNode end : List.of(output.input(), output.logical()))
                {
                    FlowNode.upstream(end).forEach(node -> numbers.putIfAbsent(node, numbers.size()));
                    FlowNode.upstream(end).forEach(node -> text.append(' ').append(numbers.get(node))
                        .append(node.inputs().stream().map(numbers::get).toList()));
                }
                text.append('\n');
            }
        }
        return text.toString();
    }

    /** What decides whether a running query continues, by query. */
    private static Map<String, String> fingerprints(final ProcessorPlan plan)
    {
        final Map<String, String> all = new HashMap<>();
        for (final PipelinePlan pipeline : plan.pipelines())
        {
            pipeline.outputs().stream().map(Operator.Output::queryId).forEach(query ->
                all.put(query, PlanFingerprint.of(PlanSplitter.of(pipeline, Set.of(query)))));
        }
        plan.flows().forEach(flow -> flow.outputs().stream().map(FlowPlan.Output::queryId).forEach(query ->
            all.put(query, PlanFingerprint.of(PlanSplitter.of(flow, Set.of(query))))));
        return all;
    }

    private String source()
    {
        final List<String> views = rules.stream().filter(RuleText::view).map(RuleText::id).toList();
        return views.isEmpty() || random.nextInt(3) == 0 ? random.nextInt(3) == 0 ? "A" : "N" :
            views.get(random.nextInt(views.size()));
    }

    private RuleText rule(final boolean view, final String id)
    {
        final String from = source();
        final String text = String.format(OF_TWO_COLUMNS.get(random.nextInt(OF_TWO_COLUMNS.size())), from,
            random.nextInt(3) + 1, random.nextInt(2) + 2,
            random.nextInt(3) != 0 ? from : random.nextInt(3) != 0 ? source() : random.nextBoolean() ? "R" : "N");
        final boolean isPartitioned = random.nextInt(4) == 0;
        return new RuleText(id, view, text, view && random.nextInt(4) == 0 ? List.of("c1", "c2") : List.of(),
            isPartitioned ? "PARTITION_ORDERED" : random.nextInt(20) == 0 ? "UNORDERED" : null,
            isPartitioned ? random.nextInt(4) == 0 ? "c2" : "c1" : null);
    }

    /** Adds, replaces, moves or removes a rule. */
    private void change()
    {
        final int kind = random.nextInt(rules.size() < 4 ? 1 : rules.size() < MOST_RULES ? 8 : 10);
        final int at = rules.isEmpty() ? 0 : random.nextInt(rules.size());
        if (kind < 4)
        {
            final boolean view = random.nextInt(3) == 0;
            int number = 0;
            while (rules.stream().map(RuleText::id).toList().contains((view ? "v" : "q") + number))
            {
                number++;
            }
            rules.add(random.nextInt(3) == 0 ? at : rules.size(), rule(view, (view ? "v" : "q") + number));
        }
        else if (kind < 6)
        {
            rules.set(at, rule(rules.get(at).view(), rules.get(at).id()));
        }
        else if (kind < 7)
        {
            rules.add(random.nextInt(rules.size()), rules.remove(at));
        }
        else
        {
            rules.remove(at);
        }
    }

    private Set<String> someQueries()
    {
        final Set<String> some = new HashSet<>();
        rules.stream().map(RuleText::id).filter(id -> random.nextInt(8) == 0).forEach(some::add);
        return some;
    }

    /** Plans with both planners; both must report the same problems, or create the same plan. */
    private RuleSetPlan planned(final RulePlanner planner, final RuleSetPlan before, final String message)
    {
        RuleSetPlan all = null;
        String problems = "";
        try
        {
            all = planner.plan("proc", rules, CATALOG, null);
        }
        catch (final CqlException failure)
        {
            problems = failure.problems().toString();
        }
        try
        {
            final RuleSetPlan some = planner.plan("proc", rules, CATALOG, before);
            assertThat(all).as(message + problems).isNotNull();
            assertThat(shape(some.plan())).as(message).isEqualTo(shape(all.plan()));
            // Records print all of their members; types of events have no equality but identity.
            assertThat(some.plan().toString()).as(message).isEqualTo(all.plan().toString());
            final Map<String, String> fingerprints = fingerprints(some.plan());
            assertThat(fingerprints).as(message).isEqualTo(fingerprints(all.plan()));
            if (before != null)
            {
                final Map<String, String> old = fingerprints(before.plan());
                fingerprints.keySet().removeIf(query -> !some.isSame(query, before));
                reused += fingerprints.size();
                assertThat(old).as(message).containsAllEntriesOf(fingerprints);
            }
            return some;
        }
        catch (final CqlException failure)
        {
            assertThat(failure.problems().toString()).as(message).isEqualTo(problems);
            refused++;
            return null;
        }
    }

    @Test
    void shouldContinueAStatementWhenSoManyFollowThatAnIndexFindsThem() throws CqlException
    {
        final List<RuleText> many = new ArrayList<>();
        for (int i = 0; i < 40; i++)
        {
            many.add(RuleText.query("q" + i, "select c1, sum(c2) as s from N where c1 = 7 and c2 > " + i +
                " group by c1"));
        }
        final ProcessorPlan alone = new RulePlanner().plan("p", many.subList(0, 1), CATALOG);
        final ProcessorPlan indexed = new RulePlanner().plan("p", many, CATALOG);
        assertThat(indexed.pipelines()).hasSize(many.size()).allSatisfy(pipeline -> assertThat(PlanSplitter.of(pipeline,
            Set.of(pipeline.name())).indexed()).as("an added rule also receives its rows from the index").isTrue());
        assertThat(alone.pipelines().get(0).indexed()).isFalse();
        assertThat(fingerprints(indexed)).containsAllEntriesOf(fingerprints(alone));
    }

    @Test
    void shouldEqualThePlanOfAllRulesAfterEachOfManyRandomChanges()
    {
        final long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed of changed rules: " + seed);
        random = new Random(seed);
        RuleSetPlan before = null;
        for (int i = 0; i < CHANGES; i++)
        {
            final List<RuleText> good = List.copyOf(rules);
            change();
            final String message = "seed=" + seed + " change=" + i + ' ';
            RuleSetPlan after = planned(new RulePlanner(), before, message);
            if (after != null && random.nextInt(3) == 0)
            {
                after = planned(new RulePlanner().withFlows(someQueries()), after, message);
            }
            if (after == null)
            {
                rules.clear();
                rules.addAll(good);
            }
            else
            {
                before = after;
            }
        }
        System.out.println("changes " + CHANGES + ", refused " + refused + ", forms reused " + reused);
        assertThat(refused).isLessThan(CHANGES * 3 / 4);
        assertThat(reused).isGreaterThan(CHANGES);
    }
}
