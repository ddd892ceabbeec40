package dev.millrace.cluster.ignite;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members in separate processes that are paused and killed. */
@Tag("slow")
@Timeout(180)
class FencingTest
{
    private static final long SHORT_DETECTION_MS = 5_000;

    @TempDir
    private Path directory;

    @Test
    void shouldFenceAMemberThatWasPausedAndTakeItBack() throws Exception
    {
        final TestPorts ports = TestPorts.free();
        try (MemberProcess one = new MemberProcess("one", 1, ports.ports(), SHORT_DETECTION_MS, directory);
            MemberProcess two = new MemberProcess("two", 2, ports.ports(), SHORT_DETECTION_MS, directory))
        {
            one.await("MEMBER one,two");
            two.await("MEMBER one,two");

            one.signal("STOP");
            two.await("MEMBER two");

            one.signal("CONT");
            one.await("FENCED one");
            one.await("MEMBER one,two");
            two.await("MEMBER one,two");
        }
    }

    @Test
    void shouldGoOnWithoutAMemberThatWasKilled() throws Exception
    {
        final TestPorts ports = TestPorts.free();
        try (MemberProcess one = new MemberProcess("one", 1, ports.ports(), SHORT_DETECTION_MS, directory);
            MemberProcess two = new MemberProcess("two", 2, ports.ports(), SHORT_DETECTION_MS, directory))
        {
            two.await("MEMBER one,two");
            one.kill();
            two.await("MEMBER two");
            try (MemberProcess again =
                new MemberProcess("one", 1, ports.ports(), SHORT_DETECTION_MS, directory))
            {
                again.await("MEMBER one,two");
                two.await("MEMBER one,two");
            }
        }
    }
}
