package dev.millrace.cluster.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.GroupDeployments.Answer;
import dev.millrace.server.spi.GroupDeployments.GroupAnswer;
import dev.millrace.server.spi.GroupDeployments.Version;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rules and configuration of groups: real members in one process with simulated instances. */
@Tag("slow")
@Timeout(180)
class GroupSettingsTest extends TestMembers
{
    private static final String RULES = "rules";

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads()
    {
        threads.shutdownNow();
    }

    private static GroupAnswer rules(final TestMember asked, final String text) throws Exception
    {
        return asked.groups().change("all", "app.a", "rules " + text.lines().findFirst().orElse(""),
            (bundle, before) -> before.withRules(RULES, text));
    }

    private static ApplicationSettings ruled(final String text)
    {
        return new ApplicationSettings(Map.of(), Map.of(RULES, text));
    }

    private static List<String> answers(final GroupAnswer answer)
    {
        return answer.members().stream().map(each -> each.member() + ' ' + each.answer() + ' ' + each.version())
            .toList();
    }

    private static List<String> lines(final List<Version> versions)
    {
        return versions.stream().map(each -> each.number() + " " + each.member() + ' ' + each.change()).toList();
    }

    @Test
    void shouldChangeRulesAndConfigurationOnAllAndKeepTheBundle() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        one.install("all", "app.a\nbundle");
        assertThat(answers(rules(two, "v2"))).containsExactly("one DONE 2", "two DONE 2");
        final GroupAnswer configured = one.groups().change("all", "app.a", "configuration channels.xml",
            (bundle, before) ->
            {
                assertThat(Files.readString(bundle)).isEqualTo("app.a\nbundle");
                return before.withConfiguration("channels.xml", "max-size 7");
            });
        assertThat(configured.isDone()).isTrue();
        for (final TestMember each : members)
        {
            assertThat(each.local.settings("app.a")).isEqualTo(
                new ApplicationSettings(Map.of("channels.xml", "max-size 7"), Map.of(RULES, "v2")));
            assertThat(each.local.changes("app.a")).as("changed without the bundle").isEqualTo(2);
        }
        assertThat(lines(two.groups().history("all", "app.a"))).containsExactly("1 one install file.jar",
            "2 two rules v2", "3 one configuration channels.xml");
        assertThat(one.update("all", "app.a", "app.a\nnext").isDone()).isTrue();
        assertThat(two.local.settings("app.a")).as("a new bundle has its own settings").isEqualTo(
            ApplicationSettings.NONE);
    }

    @Test
    void shouldChangeRulesFromAMemberThatDoesNotHaveTheApplication() throws Exception
    {
        final TestMember one = member("one", "risk");
        final TestMember two = member("two");
        assertThat(one.install("risk", "app.a\nbundle").isDone()).isTrue();
        final GroupAnswer answer = two.groups().change("risk", "app.a", "rules", (bundle, before) ->
            before.withRules(RULES, Files.readString(bundle).lines().toList().get(1)));
        assertThat(answers(answer)).containsExactly("one DONE 2");
        assertThat(one.local.settings("app.a")).isEqualTo(ruled("bundle"));
        assertThat(two.local.running()).isEmpty();
    }

    @Test
    void shouldLetMembersThatFailKeepTheirVersionAndSayWhich() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        one.install("all", "app.a\n");
        rules(one, "v2");
        final GroupAnswer failed = rules(one, "v3\nfails-on two");
        assertThat(answers(failed)).containsExactly("one DONE 3", "two FAILED 2");
        assertThat(failed.members().get(1).problems()).singleElement().matches(each -> each.code().equals("EPN-0001"));
        assertThat(two.local.settings("app.a")).isEqualTo(ruled("v2"));
        assertThat(answers(rules(two, "v4\nfails-on two"))).containsExactly("one DONE 4", "two FAILED 2");
        await(() -> answers(one.groups().progress("app.a").orElseThrow()), List.of("one DONE 4", "two FAILED 2"));
        final TestMember late = member("late");
        await(() -> late.local.settings("app.a"), ruled("v4\nfails-on two"));
        assertThat(answers(rules(two, "v5"))).containsExactly("late DONE 5", "one DONE 5", "two DONE 5");
    }

    @Test
    void shouldTakeBackWhatNobodyCouldDo() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        one.install("all", "app.a\n");
        rules(one, "v2");
        final GroupAnswer answer = rules(two, "bad\nfails-on one\nfull-on two");
        assertThat(answers(answer)).containsExactly("one FAILED 2", "two FAILED 2");
        assertThat(answer.note()).contains("version 4 restores version 2");
        assertThat(lines(one.groups().history("all", "app.a"))).last().asString()
            .isEqualTo("4 two version 2 again, version 3 was applied by no member");
        final TestMember late = member("late");
        await(() -> late.local.settings("app.a"), ruled("v2"));
    }

    @Test
    void shouldGiveALateMemberTheLatestVersionThatItCanRun() throws Exception
    {
        final TestMember one = member("one");
        one.install("all", "app.a\n");
        rules(one, "v2\nfails-on late");
        rules(one, "v3");
        rules(one, "v4\nfails-on late");
        final TestMember late = member("late");
        await(() -> answers(one.groups().progress("app.a").orElseThrow()), List.of("late FAILED 3", "one DONE 4"));
        assertThat(late.local.settings("app.a")).isEqualTo(ruled("v3"));
    }

    @Test
    void shouldRollBackAsANewVersion() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        one.install("all", "app.a\nfirst");
        rules(one, "v2");
        rules(two, "v3");
        one.groups().setSuspended("all", "app.a", true);
        final GroupAnswer back = two.groups().rollBack("all", "app.a", 2);
        assertThat(answers(back)).containsExactly("one DONE 5", "two DONE 5");
        assertThat(one.local.settings("app.a")).isEqualTo(two.local.settings("app.a")).isEqualTo(ruled("v2"));
        assertThat(one.local.running()).as("suspended as before").isEqualTo(Map.of("app.a", "[app.a\nfirst]"));
        assertThat(lines(one.groups().history("all", "app.a"))).last().asString()
            .isEqualTo("5 two roll back to version 2");
        assertThat(two.groups().rollBack("all", "app.a", 1).isDone()).isTrue();
        assertThat(one.local.settings("app.a")).isEqualTo(ApplicationSettings.NONE);
        one.update("all", "app.a", "app.a\nsecond");
        assertThat(two.groups().rollBack("all", "app.a",
            3).isDone()).as("replaced bundles are kept for some time").isTrue();
        assertThat(two.local.running()).isEqualTo(Map.of("app.a", "[app.a\nfirst]"));
        assertThat(two.local.settings("app.a")).isEqualTo(ruled("v3"));
        assertThatThrownBy(() -> one.groups().rollBack("all", "app.a", 99)).hasMessageContaining("CLU-0216")
            .hasMessageContaining("known versions are [1, 2, 3, 4, 5, 6, 7]");
    }

    @Test
    void shouldRefuseARollBackToABundleThatIsNotKept() throws Exception
    {
        final TestMember one = member("one");
        one.install("all", "app.a\nfirst");
        one.update("all", "app.a", "app.a\nsecond");
        for (final String chunk : one.cluster().bytes("deployment-bytes").names())
        {
            one.cluster().bytes("deployment-bytes").remove(chunk);
        }
        assertThatThrownBy(() -> one.groups().rollBack("all", "app.a", 1)).hasMessageContaining("CLU-0217")
            .hasMessageContaining("file=file.jar").hasMessageContaining("update the group with that bundle");
        one.update("all", "app.a", "app.a\nfirst");
        assertThat(one.groups().rollBack("all", "app.a", 1).isDone()).isTrue();
    }

    @Test
    void shouldLoseNoChangeWhenTwoMembersAreAskedAtOnce() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        one.install("all", "app.a\n");
        final CountDownLatch both = new CountDownLatch(2);
        final List<Future<GroupAnswer>> asked = new ArrayList<>();
        for (final TestMember each : List.of(one, two))
        {
            asked.add(threads.submit(() -> each.groups().change("all", "app.a", "of " + each.name, (bundle, before) ->
            {
                both.countDown();
                assertThat(awaited(both)).isTrue();
                return before.withRules(each.name, each.name);
            })));
        }
        int done = 0;
        for (final Future<GroupAnswer> each : asked)
        {
            try
            {
                assertThat(each.get().isDone()).isTrue();
                done++;
            }
            catch (final ExecutionException e)
            {
                assertThat(e.getCause()).isInstanceOf(DeploymentException.class).hasMessageContaining("CLU-0205")
                    .hasMessageContaining("this change is not applied, version=2 changedBy=")
                    .hasMessageContaining("app history --group AllDomainMembers");
            }
        }
        assertThat(done).isEqualTo(1);
        assertThat(one.local.settings("app.a").rules()).hasSize(1).isEqualTo(two.local.settings("app.a").rules());
    }

    private static boolean awaited(final CountDownLatch latch)
    {
        try
        {
            return latch.await(60, TimeUnit.SECONDS);
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldKnowVersionsAgainWhenAllComeBack() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        one.install("all", "app.a\n");
        rules(one, "v2");
        rules(two, "v3");
        final List<Version> before = one.groups().history("all", "app.a");
        two.close();
        one.close();
        two.join();
        one.join();
        await(() -> two.groups().progress("app.a").map(GroupAnswer::isDone).orElse(false), true);
        assertThat(two.groups().history("all", "app.a")).isEqualTo(before);
        assertThat(one.groups().rollBack("all", "app.a", 2).isDone()).isTrue();
        assertThat(two.local.settings("app.a")).isEqualTo(ruled("v2"));
    }

    @Test
    void shouldGoOnWhenTheCoordinatorIsLostWhileMembersDeploy() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        final TestMember three = member("three");
        assertThat(one.cluster().view().coordinator().name()).isEqualTo("one");
        final String text = "app.a\nwaits-on two";
        final Future<GroupAnswer> asked = threads.submit(() -> one.install("all", text));
        assertThat(two.local.waiting.await(60, TimeUnit.SECONDS)).isTrue();
        one.cluster().close();
        await(() -> three.cluster().view().members().size(), 2);
        two.local.released.countDown();
        await(two.local::running, Map.of("app.a", text));
        await(three.local::running, Map.of("app.a", text));
        await(() -> answers(three.groups().progress("app.a").orElseThrow()),
            List.of("three DONE 1", "two DONE 1"));
        asked.cancel(true);
        assertThat(rules(three, "v2").members()).extracting(each -> each.answer()).containsOnly(Answer.DONE).hasSize(2);
        one.close();
        one.join();
        await(() -> one.local.settings("app.a"), ruled("v2"));
    }

    @Test
    void shouldRefuseSettingsThatAreTooLargeAndBoundTheHistory() throws Exception
    {
        final TestMember one = member("one");
        one.install("all", "app.a\n");
        assertThatThrownBy(() -> rules(one, "x".repeat((4 << 20) + 1))).hasMessageContaining("CLU-0215");
        for (int i = 0; i < DesiredDeployment.MAX_PAST + 3; i++)
        {
            assertThat(rules(one, "rules " + i).isDone()).isTrue();
        }
        final List<Version> versions = one.groups().history("all", "app.a");
        assertThat(versions).hasSize(DesiredDeployment.MAX_PAST + 1);
        assertThat(versions.get(0).number()).isEqualTo(4);
        for (int i = 0; i < 3; i++)
        {
            assertThat(rules(one, i + "y".repeat((int)DesiredDeployment.MAX_PAST_CHARS - 1_000)).isDone()).isTrue();
        }
        assertThat(one.groups().history("all", "app.a")).as("large versions displace others").hasSizeLessThan(5);
    }
}
