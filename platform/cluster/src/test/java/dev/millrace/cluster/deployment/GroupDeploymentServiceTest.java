package dev.millrace.cluster.deployment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import dev.millrace.server.spi.ApplicationSettings;
import dev.millrace.server.spi.GroupDeployments.Answer;
import dev.millrace.server.spi.GroupDeployments.GroupAnswer;
import dev.millrace.server.spi.GroupDeployments.MemberAnswer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real members in one process with simulated instances. */
@Tag("slow")
@Timeout(180)
class GroupDeploymentServiceTest extends TestMembers
{
    private static final String ALL = "AllDomainMembers";

    private static List<String> answers(final GroupAnswer answer)
    {
        return answer.members().stream().map(each -> each.member() + ' ' + each.answer() + ' ' + each.state()).toList();
    }

    @Test
    void shouldDeployToAllMembersAndTakeEverythingAwayAgain() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        final TestMember three = member("three");
        final GroupAnswer installed = one.install("all", "app.a\nfirst");
        assertThat(answers(installed)).containsExactly("one DONE RUNNING", "three DONE RUNNING", "two DONE RUNNING");
        assertThat(installed.isDone()).isTrue();
        assertThat(installed.group()).isEqualTo(ALL);
        assertThat(two.groups().groupOf("app.a")).contains(ALL);
        assertThat(two.update(ALL, "app.a", "app.a\nsecond").isDone()).isTrue();
        assertThat(three.groups().setSuspended("ALL", "app.a", true).isDone()).isTrue();
        for (final TestMember each : members)
        {
            assertThat(each.local.running()).isEqualTo(Map.of("app.a", "[app.a\nsecond]"));
        }
        assertThat(answers(one.groups().setSuspended("all", "app.a", false))).contains("two DONE RUNNING");
        assertThat(answers(two.groups().uninstall("all", "app.a"))).contains("three DONE UNINSTALLED").hasSize(3);
        for (final TestMember each : members)
        {
            assertThat(each.local.running()).isEmpty();
            assertThat(each.groups().groupOf("app.a")).isEmpty();
        }
        assertThat(one.install("all", "app.a\nagain").version()).isEqualTo(6);
    }

    @Test
    void shouldShowTheStateOfEachMemberWhenItChangesByItself() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        assertThat(one.install("all", "app.a\nfirst").isDone()).isTrue();
        two.local.states.put("app.a", "DEGRADED");
        await(() -> answers(one.groups().progress("app.a").orElseThrow()),
            List.of("one DONE RUNNING", "two DONE DEGRADED"));
        two.local.states.remove("app.a");
        await(() -> answers(one.groups().progress("app.a").orElseThrow()),
            List.of("one DONE RUNNING", "two DONE RUNNING"));
    }

    @Test
    void shouldResumeAnApplicationThatHasFailedOnOneMember() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        assertThat(one.install("all", "app.a\n").isDone()).isTrue();
        two.local.states.put("app.a", "FAILED");
        assertThat(answers(one.groups().setSuspended("all", "app.a", false)))
            .containsExactly("one DONE RUNNING", "two DONE RUNNING");

        two.local.states.put("app.a", "FAILED");
        assertThat(answers(one.groups().setSuspended("all", "app.a", true)))
            .containsExactly("one DONE SUSPENDED", "two DONE SUSPENDED");
    }

    @Test
    void shouldGiveTheLimitOfAStartToAllMembersAndKeepItForTheNextVersion() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        one.groups().install("all", TestMember.stream("app.a\n"), "first.jar", TimeUnit.SECONDS.toNanos(120));
        assertThat(two.groups().update("all", "app.a", TestMember.stream("app.a\n2"), "second.jar", 0).isDone())
            .isTrue();
        assertThat(one.groups().update("all", "app.a", TestMember.stream("app.a\n3"), "third.jar",
            TimeUnit.SECONDS.toNanos(7)).isDone()).isTrue();

        for (final TestMember each : members)
        {
            assertThat(each.local.startSeconds)
                .isEqualTo(Map.of("first.jar", 120L, "second.jar", 120L, "third.jar", 7L));
        }
    }

    @Test
    void shouldKeepWhatItHasWhenTheDiskIsFullAtAnyWriteOfTheClustersFiles() throws Exception
    {
        final TestMember one = member("one");
        assertThat(one.install("all", "app.a\nfirst").isDone()).isTrue();

        one.room(0);
        assertThatThrownBy(() -> one.update("all", "app.a", "app.a\nsecond")).isInstanceOf(IOException.class);
        assertThat(one.local.running()).isEqualTo(Map.of("app.a", "app.a\nfirst"));
        one.room(1);
        final GroupAnswer refused = one.update("all", "app.a", "app.a\nsecond");
        assertThat(refused.members().get(0).problems()).singleElement()
            .matches(each -> each.code().equals("CLU-0212") && each.text().contains("No space left"));
        assertThat(one.local.running()).isEqualTo(Map.of("app.a", "app.a\nfirst"));
        one.room(0);
        assertThat(answers(one.groups().setSuspended("all", "app.a", true))).containsExactly("one FAILED RUNNING");
        assertThat(one.local.running()).isEqualTo(Map.of("app.a", "app.a\nfirst"));
        one.room(0);
        assertThat(answers(one.groups().uninstall("all", "app.a"))).containsExactly("one FAILED RUNNING");
        assertThat(one.local.running()).isEqualTo(Map.of("app.a", "app.a\nfirst"));
        assertThat(one.groups().groupOf("app.a")).contains(ALL);
        one.room(Integer.MAX_VALUE);
        assertThat(one.install("all", "app.a\nsecond").isDone()).isTrue();
        assertThat(one.local.running()).isEqualTo(Map.of("app.a", "app.a\nsecond"));
    }

    @Test
    void shouldDeployToANamedGroupAndToOneServerOnly() throws Exception
    {
        final TestMember one = member("one", "risk");
        final TestMember two = member("two");
        final TestMember three = member("three", "risk", "audit");
        assertThat(answers(two.install("risk", "app.a\nrisk")))
            .containsExactly("one DONE RUNNING", "three DONE RUNNING");
        assertThat(answers(one.install("two", "app.b\ntwo"))).containsExactly("two DONE RUNNING");
        assertThat(one.local.running()).isEqualTo(Map.of("app.a", "app.a\nrisk"));
        assertThat(two.local.running()).isEqualTo(Map.of("app.b", "app.b\ntwo"));
        assertThat(three.local.running()).isEqualTo(Map.of("app.a", "app.a\nrisk"));
    }

    @Test
    void shouldReportTheMemberThatFailsAndLetTheOthersRun() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        final TestMember three = member("three");
        final GroupAnswer answer = one.install("all", "app.a\nfails-on two\nfull-on three");
        assertThat(answer.isDone()).isFalse();
        assertThat(answers(answer)).containsExactly("one DONE RUNNING", "three FAILED ", "two FAILED ");
        assertThat(answer.members().get(1).problems()).singleElement()
            .matches(each -> each.code().equals("CLU-0212") && each.text().contains("No space left on device"));
        assertThat(answer.members().get(2).problems()).singleElement()
            .matches(each -> each.format().startsWith("rules.xml:3:7: EPN-0001: no such event type"));
        assertThat(one.local.running()).containsOnlyKeys("app.a");
        final GroupAnswer repaired = two.update("all", "app.a", "app.a\nrepaired");
        assertThat(answers(repaired)).containsExactly("one DONE RUNNING", "three DONE RUNNING", "two DONE RUNNING");
        final GroupAnswer refused = one.update("all", "app.a", "app.a\nfails-on two");
        assertThat(answers(refused)).containsExactly("one DONE RUNNING", "three DONE RUNNING", "two FAILED RUNNING");
        assertThat(refused.isDone()).isFalse();
        assertThat(refused.note()).isEqualTo("refused by two: version 4 restores version 2, on all members");
        assertThat(List.of(one, two, three)).as("the old version").allSatisfy(member ->
            assertThat(member.local.running()).isEqualTo(Map.of("app.a", "app.a\nrepaired")));
        assertThat(refused.members().get(0).report()).containsExactly("update 2 of app.a on one");
        assertThat(refused.members().get(2).report()).isEmpty();
        assertThat(three.groups().setSuspended("all", "app.a", true).isDone()).isTrue();
        assertThat(two.local.running()).as("suspended nevertheless").isEqualTo(Map.of("app.a", "[app.a\nrepaired]"));
    }

    @Test
    void shouldRunOnSevenOfTenWhenABundleFailsOnThree() throws Exception
    {
        room(10);
        for (int i = 0; i < 10; i++)
        {
            member("m" + i, i % 2 == 0 ? "even" : "odd");
        }
        final TestMember last = members.get(9);
        final GroupAnswer answer = last.install("all", "app.a\nfails-on m2\nfull-on m5\nfails-on m8");
        assertThat(answers(answer)).containsExactly("m0 DONE RUNNING", "m1 DONE RUNNING", "m2 FAILED ",
            "m3 DONE RUNNING", "m4 DONE RUNNING", "m5 FAILED ", "m6 DONE RUNNING", "m7 DONE RUNNING", "m8 FAILED ",
            "m9 DONE RUNNING");
        assertThat(members.stream().filter(each -> each.local.running().isEmpty()).map(each -> each.name))
            .containsExactly("m2", "m5", "m8");
        final GroupAnswer repaired = members.get(5).update("all", "app.a", "app.a\nrepaired");
        assertThat(repaired.isDone()).isTrue();
        assertThat(repaired.members()).hasSize(10);
        assertThat(answers(last.install("odd", "app.b\n"))).containsExactly("m1 DONE RUNNING", "m3 DONE RUNNING",
            "m5 DONE RUNNING", "m7 DONE RUNNING", "m9 DONE RUNNING");
    }

    @Test
    void shouldGiveALateMemberWhatItsGroupsHave() throws Exception
    {
        final TestMember one = member("one");
        final String large = "app.a\n" + "x".repeat(3 * DeploymentContent.CHUNK_BYTES + 17);
        assertThat(one.install("all", large).isDone()).isTrue();
        assertThat(one.install("one", "app.b\n").isDone()).isTrue();
        assertThat(one.groups().setSuspended("all", "app.a", true).isDone()).isTrue();
        final TestMember late = member("late");
        await(late.local::running, Map.of("app.a", '[' + large + ']'));
    }

    @Test
    void shouldFollowWhatWasMissedWhenAMemberComesBack() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        assertThat(one.install("all", "app.a\n").isDone()).isTrue();
        assertThat(one.install("all", "app.b\n").isDone()).isTrue();
        leave(two, one);
        assertThat(answers(one.groups().uninstall("all", "app.a"))).containsExactly("one DONE UNINSTALLED");
        assertThat(one.update("all", "app.b", "app.b\nnext").isDone()).isTrue();
        two.join();
        await(two.local::running, Map.of("app.b", "app.b\nnext"));
        assertThat(one.local.running()).isEqualTo(Map.of("app.b", "app.b\nnext"));
    }

    @Test
    void shouldKnowEverythingAgainWhenAllComeBackInAnotherOrder() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        assertThat(one.install("all", "app.a\n").isDone()).isTrue();
        assertThat(one.install("all", "app.b\n").isDone()).isTrue();
        leave(two, one);
        assertThat(one.update("all", "app.a", "app.a\nnext").isDone()).isTrue();
        assertThat(one.groups().uninstall("all", "app.b").isDone()).isTrue();
        one.close();
        two.join();
        await(() -> two.groups().groupOf("app.b").isPresent(), true);
        one.join();
        await(two.local::running, Map.of("app.a", "app.a\nnext"));
        final TestMember late = member("late");
        await(late.local::running, Map.of("app.a", "app.a\nnext"));
        await(one.local::running, Map.of("app.a", "app.a\nnext"));
    }

    @Test
    void shouldLetOneChangeWinWhenTwoMembersAreAskedAtOnce() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        final ExecutorService threads = Executors.newFixedThreadPool(2);
        try
        {
            final Future<GroupAnswer> first = threads.submit(() -> one.install("all", "app.a\nof one"));
            final Future<GroupAnswer> second = threads.submit(() -> two.install("all", "app.a\nof two"));
            int won = 0;
            for (final Future<GroupAnswer> each : List.of(first, second))
            {
                try
                {
                    assertThat(each.get().isDone()).isTrue();
                    won++;
                }
                catch (final ExecutionException e)
                {
                    assertThat(e.getCause()).isInstanceOf(DeploymentException.class)
                        .hasMessageMatching("(?s).*CLU-020[35]: .*hint: .*");
                }
            }
            assertThat(won).isEqualTo(1);
            assertThat(one.local.running()).isEqualTo(two.local.running()).hasSize(1);
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    @Test
    void shouldGoOnWithoutTheMemberThatWasAsked() throws Exception
    {
        final TestMember one = member(0, "one");
        final TestMember two = member("two");
        final TestMember three = member("three");
        one.install("all", "app.a\n");
        one.close();
        await(two.local::running, Map.of("app.a", "app.a\n"));
        await(three.local::running, Map.of("app.a", "app.a\n"));
    }

    @Test
    void shouldReportAMemberThatHasTheApplicationByItself() throws Exception
    {
        final TestMember one = member("one");
        final TestMember two = member("two");
        two.local.install(TestMember.stream("app.a\nalone"), "alone.jar", false,
            ApplicationSettings.NONE, 0);
        final GroupAnswer answer = one.install("all", "app.a\ngroup");
        assertThat(answers(answer)).containsExactly("one DONE RUNNING", "two FAILED RUNNING");
        assertThat(answer.members().get(1).problems()).singleElement()
            .matches(each -> each.code().equals("CLU-0210") && each.hint().contains("uninstall it there"));
        assertThat(two.groups().groupOf("app.a")).isEmpty();
        assertThat(answers(one.groups().uninstall("all", "app.a"))).hasSize(2);
        assertThat(two.local.running()).as("the group must not remove it").isEqualTo(Map.of("app.a", "app.a\nalone"));
    }

    @Test
    void shouldRefuseWithAHintWhatCannotBeMeant() throws Exception
    {
        final TestMember one = member("one", "risk");
        assertThat(one.install("risk", "app.a\n").isDone()).isTrue();
        assertThatThrownBy(() -> one.install("nobody", "app.b\n"))
            .hasMessageContaining("CLU-0201").hasMessageContaining("AllDomainMembers, one, risk");
        assertThatThrownBy(() -> one.install("all", "app.a\n")).hasMessageContaining("CLU-0203").hasMessageContaining(
            "group=risk");
        assertThatThrownBy(() -> one.update("all", "app.a", "app.a\n2")).hasMessageContaining("--group risk");
        assertThatThrownBy(() -> one.update("risk", "app.a", "app.b\n")).hasMessageContaining("CLU-0208");
        assertThatThrownBy(() -> one.groups().uninstall("all", "app.c")).hasMessageContaining("CLU-0202")
            .hasMessageContaining("[app.a]");
        assertThatThrownBy(() -> one.install("all", "nothing")).hasMessageContaining("SRV-0201");
        one.cluster().close();
        assertThatThrownBy(() -> one.install("all", "app.b\n")).hasMessageContaining("CLU-0204");
    }

    @Test
    void shouldSayWhoHasLeftOrDoesNotAnswer() throws Exception
    {
        final TestMember one = member("one");
        final GroupResponses answers = new GroupResponses(one.cluster(), one.cluster().map("deployment-results"),
            new MemberStatuses(one.cluster().map("deployment-results"), System::nanoTime), 1_000_000, System::nanoTime);
        final DesiredDeployment document = DesiredDeployment.first("app.z", ALL, Optional.empty(),
            new DeploymentContent("", "", 0, ApplicationSettings.NONE), 0, new ChangeRecord("one", 0, "install"));
        assertThat(answers.await(document, Set.of("one", "two")).members()).extracting(MemberAnswer::answer)
            .containsExactly(Answer.NONE, Answer.GONE);
    }
}
