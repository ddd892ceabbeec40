package dev.millrace.server.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.server.fixture.Apps;
import dev.millrace.server.fixture.TestInstance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.SynchronousBundleListener;

/**
 * Commands while {@code deployments.xml} cannot be written. It is written before they act, so that the old state
 * remains.
 */
@Timeout(120)
class UnwritableListTest
{
    @TempDir
    private Path directory;

    private TestInstance instance;

    @BeforeEach
    void start() throws Exception
    {
        instance = TestInstance.start(TestInstance.newDomain(directory), TestInstance.FELIX);
    }

    @AfterEach
    void stop() throws Exception
    {
        instance.close();
    }

    private TestInstance.Answer call(final String method, final String below) throws Exception
    {
        return instance.request(method, "/wlevs/apps/" + below, new byte[0]);
    }

    /** Creates an undeletable directory at the path of the file that is written first. */
    private void block() throws Exception
    {
        Files.createDirectories(directory.resolve("deployments.xml.next/full"));
    }

    @Test
    void shouldLeaveTheOldStateAndSaySoWithEveryCommand() throws Exception
    {
        assertThat(instance.deploy(Apps.ticking("running.app")).status()).isEqualTo(201);
        assertThat(instance.deploy(Apps.ticking("paused.app")).status()).isEqualTo(201);
        assertThat(call("POST", "paused.app/suspend").status()).isEqualTo(200);
        final String before = Files.readString(directory.resolve("deployments.xml"));
        block();

        for (final String command : new String[] {"POST running.app/suspend", "DELETE running.app",
            "POST paused.app/resume", "POST paused.app/restart"})
        {
            final String[] words = command.split(" ");
            final TestInstance.Answer answer = call(words[0], words[1]);
            assertThat(answer.status()).as(command + answer.text()).isEqualTo(500);
            assertThat(answer.text()).as(command).contains("SRV-0498", "deployments.xml.next", "check free space");
        }
        assertThat(instance.deploy(Apps.ticking("new.app")).text()).contains("SRV-0498");

        assertThat(instance.state("running.app")).isEqualTo("RUNNING");
        assertThat(instance.state("paused.app")).isEqualTo("SUSPENDED");
        assertThat(call("GET", "new.app").status()).isEqualTo(404);
        assertThat(Files.readString(directory.resolve("deployments.xml"))).isEqualTo(before);
    }

    @Test
    void shouldNotStopAnApplicationWhoseRestartCannotBeWritten() throws Exception
    {
        assertThat(instance.deploy(Apps.ticking("paused.app")).status()).isEqualTo(201);
        assertThat(call("POST", "paused.app/suspend").status()).isEqualTo(200);
        final List<Bundle> stopped = new CopyOnWriteArrayList<>();
        final SynchronousBundleListener listener = event ->
        {
            if (event.getType() == BundleEvent.STOPPED)
            {
                stopped.add(event.getBundle());
            }
        };
        instance.framework().getBundleContext().addBundleListener(listener);
        block();

        assertThat(call("POST", "paused.app/restart").text()).contains("SRV-0498");

        assertThat(stopped).isEmpty();
    }
}
