package dev.millrace.adapter.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.process.FileHandles;
import dev.millrace.api.time.Clock;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Memory of a data port per connection, with many connections. */
@Tag("slow")
@Timeout(180)
class ManyConnectionsTest
{
    private static final int IDLE = 10_000;
    private static final int ACTIVE = 500;
    private static final long HEAP_BYTES_EACH = 8 << 10;
    /** Handles used by the test itself, and those that the adapter reserves. */
    private static final int OTHER_HANDLES = 500;

    @Test
    void shouldNeedLittleHeapForEachOf10000IdleAnd500ActiveConnections() throws Exception
    {
        // Fewer if the process has a lower limit of file handles.
        final int idle = (int)Math.min(IDLE, FileHandles.OF_PROCESS.limit() - OTHER_HANDLES - ACTIVE);
        assertThat(idle).as("raise the limit of open files (ulimit -n)").isPositive();
        try (RunningAdapter port = new RunningAdapter(Clock.SYSTEM, adapter -> { }))
        {
            port.rows.forgetRows();
            final long beforeBytes = usedBytes();
            final Process senders = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:+UseSerialGC",
                "-cp", System.getProperty("java.class.path"), ManySenders.class.getName(),
                Integer.toString(port.adapter.boundPort()), Integer.toString(idle), Integer.toString(ACTIVE))
                .redirectErrorStream(true).redirectOutput(Redirect.INHERIT).start();
            try
            {
                RunningAdapter.await(() -> port.statistic("frames") > idle + 20 * ACTIVE);
                assertThat(port.statistic("connectionsOpen")).isEqualTo(idle + ACTIVE);
                final long eachBytes = (usedBytes() - beforeBytes) / (idle + ACTIVE);
                final long frames = port.statistic("frames");
                RunningAdapter.await(() -> port.statistic("frames") > frames + 20 * ACTIVE);
                System.out.println("heap per connection of " + idle + " idle and " + ACTIVE + " active connections: "
                    + eachBytes + " bytes");
                assertThat(eachBytes).isBetween(1L, HEAP_BYTES_EACH);
                assertThat(port.rows.rejected()).isEmpty();
            }
            finally
            {
                senders.destroyForcibly().waitFor(60, TimeUnit.SECONDS);
            }
        }
    }

    private static long usedBytes()
    {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
