package dev.millrace.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.network.definition.DeploymentException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each target processes its seeds and slightly damaged seeds; build/fuzz.sh searches for longer. */
@Timeout(120)
class TargetTest
{
    private static final long SEED = 16;
    private static final int DAMAGED = 300;

    private static Path root()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("cql-processor")))
        {
            directory = directory.getParent();
        }
        return directory;
    }

    private static byte[] damaged(final byte[] seed, final Random random)
    {
        final byte[] data = Arrays.copyOf(seed, random.nextInt(4) > 0 ? seed.length : random.nextInt(seed.length + 8));
        for (int i = random.nextInt(4); i >= 0 && data.length > 0; i--)
        {
            data[random.nextInt(data.length)] = (byte)random.nextInt();
        }
        return data;
    }

    @ParameterizedTest
    @EnumSource(Target.class)
    void shouldTakeOrRefuseSeedsThatWereDamaged(final Target target) throws Exception
    {
        final Random random = new Random(SEED);
        final List<byte[]> seeds = target.seeds(root());
        assertThat(seeds).isNotEmpty();
        for (int i = 0; i < DAMAGED; i++)
        {
            final byte[] seed = seeds.get(i % seeds.size());
            final byte[] data = i < seeds.size() ? seed : damaged(seed, random);
            try
            {
                target.take(data);
            }
            catch (final Exception e)
            {
                throw new AssertionError("seed=" + SEED + " input=" + HexFormat.of().formatHex(data), e);
            }
        }
    }

    @Test
    void shouldTakeAStatementThatContainsTheCodeOfAnInternalError()
    {
        final byte[] statement = "select v from S where v = CQL-9999like".getBytes(StandardCharsets.UTF_8);
        assertThatCode(() -> StatementFuzz.fuzzerTestOneInput(statement)).doesNotThrowAnyException();
    }

    @Test
    void shouldFindARefusalThatTellsTheUserNothing()
    {
        assertThatThrownBy(() -> RefusalCheck.check(new DeploymentException(List.of())))
            .isInstanceOf(IllegalStateException.class);
    }
}
