package dev.millrace.cluster.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cluster.ClusterView.State;
import dev.millrace.cluster.ignite.TestPorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Base of tests with real members in one process: the members discover each other, and leave at the end. */
abstract class TestMembers
{
    private static final long ANSWER_SECONDS = 60;
    private static final long WAIT_SECONDS = 60;

    /** All members of a test, in joining order. */
    final List<TestMember> members = new ArrayList<>();

    @TempDir
    private Path directory;

    private TestPorts ports;

    @BeforeEach
    void findPorts() throws Exception
    {
        ports = TestPorts.free();
    }

    @AfterEach
    void leave()
    {
        members.forEach(TestMember::close);
    }

    /** Reserves ports for more members than usual; called before the first member starts. */
    final void room(final int count) throws Exception
    {
        ports = TestPorts.free(count);
    }

    /** Starts a member that waits for all answers. */
    final TestMember member(final String name, final String... groups) throws Exception
    {
        return member(ANSWER_SECONDS, name, groups);
    }

    /** Starts a member that waits for answers for the given time. When this returns, the existing members see it. */
    final TestMember member(final long answerSeconds, final String name, final String... groups) throws Exception
    {
        final TestMember made = new TestMember(name, ports, directory, answerSeconds, groups);
        for (final TestMember other : members)
        {
            await(() -> other.cluster().view().state() != State.MEMBER || sees(other, made), true);
        }
        members.add(made);
        return made;
    }

    /** Stops a member and waits until another one sees it, because a change addresses the members in the view. */
    static void leave(final TestMember gone, final TestMember seenBy) throws InterruptedException
    {
        gone.close();
        await(() -> sees(seenBy, gone), false);
    }

    private static boolean sees(final TestMember one, final TestMember other)
    {
        return one.cluster().view().members().stream().anyMatch(each -> each.name().equals(other.name));
    }

    /** Waits for an asynchronous effect. */
    static void await(final Supplier<Object> actual, final Object expected) throws InterruptedException
    {
        final Object pause = new Object();
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        synchronized (pause)
        {
            while (!expected.equals(actual.get()) && System.nanoTime() - deadlineNs < 0)
            {
                pause.wait(20);
            }
        }
        assertThat(actual.get()).isEqualTo(expected);
    }
}
