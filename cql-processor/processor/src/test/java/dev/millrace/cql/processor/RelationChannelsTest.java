package dev.millrace.cql.processor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.network.wiring.NetworkBuilder;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys, silence and update semantics of relation channels, and warnings of rules, in whole applications. */
@Tag("slow")
@Timeout(180)
class RelationChannelsTest
{
    private static final String JOIN = "select s.v + r.v as x from S[now] as s, R as r where s.k = r.k";

    @Test
    void shouldNotWaitForARelationThatIsFilledOnce() throws Exception
    {
        try (ObjectApplication application =
            ObjectApplication.with().query("RStream(" + JOIN + ")").start())
        {
            application.insert(1, "a", 10).insert(1, "b", 20).send(2, "a", 1).send(3, "b", 2).send(1_000, "b", 3);

            assertThat(application.allRows()).containsExactly("+11", "+22", "+23");
        }
    }

    /**
     * Channels reach their worker through separate rings; a row must not overtake rows that its thread sent earlier.
     */
    @Test
    void shouldSeeARelationBeforeRowsThatItsThreadSendsAfterwards() throws Exception
    {
        for (int round = 0; round < 200; round++)
        {
            try (ObjectApplication application =
                ObjectApplication.with().query("RStream(" + JOIN + ")").start())
            {
                for (int i = 0; i < 20; i++)
                {
                    application.insert(2 * i, "k" + i, i).send(2 * i + 1, "k" + i, 100);
                }

                assertThat(application.allRows()).as("round %d", round).hasSize(20).endsWith("+119");
            }
        }
    }

    @Test
    void shouldWaitForARelationThatIsDeclaredNotSilent() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().relation("silent=\"false\"")
            .query("RStream(" + JOIN + ")").start())
        {
            application.insert(1, "a", 10).send(2, "a", 1).send(3, "a", 2);
            assertThat(application.allRows()).isEmpty();

            application.update(3, "a", 20).insert(4, "b", 0);
            assertThat(application.allRows()).containsExactly("+11", "+22");
        }
    }

    @Test
    void shouldReplaceTheRowOfTheSameKey() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().out("k", "char", "x", "int")
            .options("is-relation=\"true\" primary-key=\"k\"").query("select k, v as x from R").start())
        {
            application.insert(1, "a", 1).update(2, "a", 2).update(3, "z", 9).delete(4, "a", 0).insert(5, "b", 1);
            application.insert(6, "c", 1);

            assertThat(application.allRows()).containsExactly("+a,1", "-a,1", "+a,2", "-a,2", "+b,1");
        }
    }

    /** The key of a group is that of its row; of equal rows of a window the second one is a duplicate. */
    @Test
    void shouldRejectDuplicatesUnlessTheQueryGivesEachKeyOnce() throws Exception
    {
        try (ObjectApplication groups = ObjectApplication.with().out("k", "char", "x", "bigint")
            .options("is-relation=\"true\" primary-key=\"k\"")
            .query("select k, count(*) as x from S[rows 2] group by k").start();
            ObjectApplication rows = ObjectApplication.with().out("k", "char", "x", "int")
                .options("is-relation=\"true\" primary-key=\"k\"").query("select k, v as x from S[rows 2]").start())
        {
            for (final ObjectApplication application : List.of(groups, rows))
            {
                application.send(1, "a", 1).send(2, "a", 1).send(3, "b", 1).send(4, "c", 1);
            }

            assertThat(groups.allRows()).containsExactly(
                "+a,1", "-a,1", "+a,2", "-a,2", "+a,1", "+b,1", "-a,1", "+c,1");
            assertThat(rows.allRows()).containsExactly("+a,1", "-a,1", "+b,1", "+c,1");
        }
    }

    @Test
    void shouldPairDeletionAndInsertionOfOneKeyWhenUpdateSemanticsAreOn() throws Exception
    {
        try (ObjectApplication application = ObjectApplication.with().out("k", "char", "x", "bigint")
            .options("is-relation=\"true\" primary-key=\"k\" update-semantics=\"true\"")
            .query("select k, count(*) as x from S[rows 2] group by k").start())
        {
            application.send(1, "a", 1).send(2, "a", 1).send(3, "b", 1).send(4, "b", 1).send(5, "b", 1);

            assertThat(application.allRows()).containsExactly("+a,1", "Ua,2", "Ua,1", "+b,1", "Ub,2", "-a,1");
        }
    }

    @Test
    void shouldWarnOfAPatternThatCanNeverReport() throws Exception
    {
        try (LogLines log = new LogLines(NetworkBuilder.class); ObjectApplication application = ObjectApplication
            .with().query("select m.x as x from S match_recognize (measures A.v as x pattern (A B*) " +
            "define A as A.v > 1) as m").start())
        {
            assertThat(application.network().warnings()).hasSize(1).first().satisfies(warning ->
            {
                assertThat(warning.code()).isEqualTo("CQL-5033");
                assertThat(warning.position().file()).isEqualTo(ObjectApplication.CONFIGURATION_FILE);
                assertThat(warning.hint()).isNotEmpty();
            });
            assertThat(log.lines()).anyMatch(line -> line.contains("CQL-5033") && line.contains("object.app"));
        }
    }
}
