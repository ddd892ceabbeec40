package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The shipped home: files for passwords are readable only by their owner, and a start logs no warning. */
@Timeout(300)
class HomeModesIT
{
    @Test
    void shouldShipConfigurationThatOnlyItsOwnerMayRead() throws IOException
    {
        final Path config = Product.HOME.domains().resolve("defaultserver/config");
        assertThat(mode(config)).isEqualTo("rwx------");
        try (Stream<Path> files = Files.list(config))
        {
            final List<Path> found = files.toList();
            assertThat(found).contains(config.resolve("config.xml"), config.resolve("jvm.options"));
            for (final Path file : found)
            {
                assertThat(mode(file)).as(file.toString()).isEqualTo("rw-------");
            }
        }
        assertThat(mode(Product.HOME.domains().resolve("defaultserver/startwlevs.sh"))).isEqualTo("rwxr-xr-x");
    }

    private static String mode(final Path path) throws IOException
    {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }
}
