package dev.millrace.cluster.ignite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cluster.ClusterException;
import org.apache.ignite.spi.communication.tcp.TcpCommunicationSpi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A version of Ignite whose connections are not accessible is rejected before a node starts. */
@Timeout(60)
class CommunicationGuardTest
{
    /** A version in which the field has another name. */
    private static final class Renamed
    {
        private final Object server = new Object();
    }

    /** A version in which the field has another type. */
    private static final class Retyped
    {
        private final Object nioSrvWrapper = new Object();
    }

    private static void assertRefused(final Class<?> communication, final Object any)
    {
        assertThat(any).isNotNull();
        assertThatThrownBy(() -> CommunicationGuard.sessions(communication))
            .isInstanceOfSatisfying(ClusterException.class, e ->
            {
                assertThat(e.code()).isEqualTo("CLU-0109");
                assertThat(e.getMessage()).startsWith("connections to the communication port cannot be guarded")
                    .contains("class=" + communication.getName(), "field=nioSrvWrapper");
                assertThat(e.hint()).contains("Ignite jars of the distribution");
            });
    }

    @Test
    void shouldRefuseAVersionWithoutTheField()
    {
        assertRefused(Renamed.class, new Renamed().server);
    }

    @Test
    void shouldRefuseAVersionWhoseFieldHasAnotherType()
    {
        assertRefused(Retyped.class, new Retyped().nioSrvWrapper);
    }

    @Test
    void shouldFindTheFieldInTheVersionOfTheProduct() throws Exception
    {
        CommunicationGuard.check();
        assertThat(CommunicationGuard.sessions(TcpCommunicationSpi.class).getName()).isEqualTo("nioSrvWrapper");
    }
}
