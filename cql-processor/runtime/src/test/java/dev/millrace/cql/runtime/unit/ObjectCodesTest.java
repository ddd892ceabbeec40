package dev.millrace.cql.runtime.unit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.memory.MemoryAccount;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Codes of objects compared with maps. The seed is fixed. */
@Timeout(60)
class ObjectCodesTest
{
    private static final int ROUNDS = 20_000;
    private static final int VALUES = 300;

    private final ObjectCodes codes = new ObjectCodes(MemoryAccount.NONE);

    @Test
    void shouldGiveEqualValuesOneCode()
    {
        final int decimal = codes.code(new BigDecimal("1.0"));
        final int bytes = codes.code(new byte[] {1, 2});
        assertThat(codes.code(new BigDecimal("1.000"))).isEqualTo(decimal);
        assertThat(codes.code(new byte[] {1, 2})).isEqualTo(bytes);
        assertThat(codes.code(new byte[] {1, 3})).isNotIn(bytes, decimal, ObjectCodes.NULL);
        assertThat(codes.code(null)).isEqualTo(ObjectCodes.NULL);
        assertThat(codes.of(decimal)).isEqualTo(new BigDecimal("1.0"));
        assertThat(codes.compare(decimal, codes.code(BigDecimal.TEN))).isNegative();
        assertThat(codes.compare(codes.code(new byte[] {1, 3}), bytes)).isPositive();
    }

    @Test
    void shouldRefuseToReleaseWhatNothingHolds()
    {
        final int code = codes.code("x");
        assertThatThrownBy(() -> codes.release(code)).hasMessageContaining("code=" + code);
    }

    @Test
    void shouldKeepWhatIsHeldAndGiveBackAllElse()
    {
        final Random random = new Random(20_261_127);
        final Map<Integer, Integer> holders = new HashMap<>();
        final Map<Integer, Integer> codeOf = new HashMap<>();
        for (int round = 0; round < ROUNDS; round++)
        {
            final int value = random.nextInt(VALUES);
            if (random.nextBoolean())
            {
                final int code = codes.code(BigDecimal.valueOf(value));
                assertThat(codeOf.getOrDefault(value, code)).isEqualTo(code);
                codes.hold(code);
                codeOf.put(value, code);
                holders.merge(value, 1, Integer::sum);
            }
            else if (holders.containsKey(value))
            {
                codes.release(codeOf.get(value));
                if (holders.merge(value, -1, Integer::sum) == 0)
                {
                    holders.remove(value);
                    codeOf.remove(value);
                    codes.endOfBatch();
                }
            }
            else
            {
                codes.code(BigDecimal.valueOf(value));
            }
            if (random.nextInt(4) == 0)
            {
                codes.endOfBatch();
                assertThat(codes.size()).isEqualTo(codeOf.size());
            }
        }
        codeOf.forEach((value, code) -> assertThat(codes.of(code)).isEqualTo(BigDecimal.valueOf(value)));
    }
}
