package dev.millrace.command.domain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.command.instance.InstanceStop;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Output of {@code domain stop} while it waits. */
@Timeout(60)
class StopDomainCommandTest
{
    private final StringWriter said = new StringWriter();

    /** Ends after the first check that finds it alive, which real processes do only by chance. */
    private static ProcessHandle endsAfterOneLook()
    {
        final AtomicInteger looks = new AtomicInteger();
        return (ProcessHandle)Proxy.newProxyInstance(StopDomainCommandTest.class.getClassLoader(),
            new Class<?>[] {ProcessHandle.class}, (proxy, method, arguments) ->
                method.getName().equals("isAlive") ? looks.getAndIncrement() == 0 : (Object)4711L);
    }

    @Test
    void shouldSayThatAnInstanceHasStoppedWhenItEndsBetweenTwoLooks()
    {
        final List<InstanceStop> left = new ArrayList<>(List.of(new InstanceStop(endsAfterOneLook(), "market")));
        final PrintWriter out = new PrintWriter(said);
        StopDomainCommand.takeGone(left, out);
        assertThat(left).as("it was alive").hasSize(1);
        assertThat(said).hasToString("");
        StopDomainCommand.takeGone(left, out);
        assertThat(left).isEmpty();
        assertThat(said).hasToString("stopped market, pid 4711" + System.lineSeparator());
    }

    @Test
    void shouldSayOfAnInstanceAtAnAddressThatItHasStopped()
    {
        final List<InstanceStop> left = new ArrayList<>(List.of(new InstanceStop(null, "elsewhere")));
        StopDomainCommand.takeGone(left, new PrintWriter(said));
        assertThat(left).isEmpty();
        assertThat(said.toString()).startsWith("stopped elsewhere");
    }
}
