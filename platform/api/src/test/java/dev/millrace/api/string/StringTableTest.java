package dev.millrace.api.string;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.api.memory.MemoryAccount;
import dev.millrace.api.memory.MemoryBudget;
import dev.millrace.api.memory.MemoryHolder;
import dev.millrace.api.string.StringTable.Lifetime;
import dev.millrace.api.time.ManualClock;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class StringTableTest
{
    private static final int MANY = 1 << 20;

    private static StringTable codes(final Lifetime lifetime)
    {
        return new StringTable(lifetime, MANY);
    }

    private static int code(final StringTable codes, final String text)
    {
        final byte[] bytes = ("..." + text).getBytes(StandardCharsets.UTF_8);
        return codes.code(bytes, 3, bytes.length - 3);
    }

    @ParameterizedTest
    @EnumSource(Lifetime.class)
    void shouldGiveDenseCodesInOrderOfFirstAppearance(final Lifetime lifetime)
    {
        final StringTable codes = codes(lifetime);
        assertThat(codes.limit()).isEqualTo(1);
        assertThat(code(codes, "ORCL")).isEqualTo(1);
        assertThat(code(codes, "a text of more than twenty-four bytes")).isEqualTo(2);
        assertThat(code(codes, "order-0000000001")).isEqualTo(3);
        assertThat(code(codes, "ORCL")).isEqualTo(1);
        assertThat(code(codes, "a text of more than twenty-four bytes")).isEqualTo(2);
        assertThat(code(codes, "order-0000000001")).isEqualTo(3);
        assertThat(codes.size()).isEqualTo(3);
        assertThat(codes.limit()).isEqualTo(4);
    }

    @Test
    void shouldHaveCodeZeroForNullAndTheEmptyText()
    {
        final StringTable codes = codes(Lifetime.HELD);
        assertThat(codes.code(new byte[4], 2, 0)).isEqualTo(StringTable.NULL);
        assertThat(codes.code((String)null)).isEqualTo(StringTable.NULL);
        assertThat(codes.code("")).isEqualTo(StringTable.NULL);
        assertThat(codes.find(new byte[4], 4, 0)).isEqualTo(StringTable.NULL);
        codes.hold(StringTable.NULL);
        codes.release(StringTable.NULL);
        assertThat(codes.string(StringTable.NULL)).isNull();
        assertThat(codes.length(StringTable.NULL)).isZero();
        assertThat(codes.copy(StringTable.NULL, new byte[0], 0)).isZero();
        assertThat(codes.size()).isZero();
    }

    @Test
    void shouldGiveBackTextsOfEveryLength()
    {
        final StringTable codes = codes(Lifetime.OWN);
        final List<String> texts = IntStream.range(1, 200).mapToObj(length -> "ä".repeat(length / 2) +
            "z".repeat(length % 2)).filter(text -> !text.isEmpty()).distinct().toList();
        for (final String text : texts)
        {
            assertThat(codes.find(text)).isEqualTo(StringTable.NULL);
            final int code = codes.code(text);
            final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            assertThat(codes.string(code)).isEqualTo(text);
            assertThat(codes.length(code)).isEqualTo(bytes.length);
            final byte[] copy = new byte[bytes.length + 2];
            assertThat(codes.copy(code, copy, 1)).isEqualTo(bytes.length);
            assertThat(new String(copy, 1, bytes.length, StandardCharsets.UTF_8)).isEqualTo(text);
            assertThat(copy[bytes.length + 1]).isZero();
        }
        assertThat(texts.stream().map(codes::find).distinct().count()).isEqualTo(texts.size());
        assertThat(codes.size()).isEqualTo(texts.size());
    }

    @Test
    void shouldKeepCodesThatStateHasWithoutHoldingThem()
    {
        final StringTable codes = StringTable.withDelayedReuse(Lifetime.HELD, MANY, 1);
        final Set<Integer> state = new HashSet<>();
        codes.keepWhile(state::contains);
        final int a = codes.code("a");
        final int b = codes.code("b");
        state.add(a);
        codes.endOfBatch();
        assertThat(List.of(codes.find("a"), codes.find("b"))).containsExactly(a, StringTable.NULL);
        codes.offer(a);
        codes.offer(StringTable.NULL);
        codes.endOfBatch();
        assertThat(codes.find("a")).as("offered though state has it").isEqualTo(a);
        final Set<Integer> other = new HashSet<>(Set.of(a));
        codes.keepWhile(other::contains);
        state.clear();
        codes.offer(a);
        codes.endOfBatch();
        assertThat(codes.find("a")).as("other state has it").isEqualTo(a);
        other.clear();
        codes.offer(a);
        codes.offer(a);
        codes.endOfBatch();
        assertThat(codes.find("a")).isEqualTo(StringTable.NULL);
        assertThat(codes.size()).isZero();
        assertThat(b).isNotEqualTo(a);
    }

    @Test
    void shouldHoldLiteralsForGood()
    {
        final StringTable codes = new StringTable(Lifetime.HELD, 1);
        assertThat(codes.literal("a")).isEqualTo(1);
        assertThat(codes.literal("b")).as("beyond the bound").isEqualTo(2);
        assertThat(codes.literal("a")).isEqualTo(1);
        assertThat(codes.literal(null)).isEqualTo(StringTable.NULL);
        codes.endOfBatch();
        codes.release(1);
        codes.endOfBatch();
        assertThat(codes.find("a")).as("held twice").isEqualTo(1);
    }

    @Test
    void shouldFindManyHeadsAtOnce()
    {
        final StringTable codes = codes(Lifetime.OWN);
        final long[] heads = new long[300];
        final int[] found = new int[300];
        for (int count = 0; count < 100_000; count += 299)
        {
            for (int i = 1; i < 300; i++)
            {
                final byte[] text = ("t" + (count + i)).getBytes(StandardCharsets.UTF_8);
                heads[i] = Utf8.head(text, 0, text.length);
            }
            assertThat(codes.findHeads(heads, 300, found)).isFalse();
            assertThat(found).containsOnly(StringTable.NULL);
            for (int i = 1; i < 300; i++)
            {
                codes.code("t" + (count + i));
            }
            assertThat(codes.findHeads(heads, 300, found)).isTrue();
            for (int i = 1; i < 300; i++)
            {
                assertThat(codes.string(found[i])).isEqualTo("t" + (count + i));
            }
            assertThat(found[0]).isEqualTo(StringTable.NULL);
        }
    }

    @Test
    void shouldKeepTextsApartThatEndWithZeros()
    {
        final StringTable codes = codes(Lifetime.OWN);
        final Set<Integer> found = new HashSet<>();
        for (int length = 1; length <= 40; length++)
        {
            final byte[] zeros = new byte[length];
            found.add(codes.code(zeros, 0, length));
            zeros[0] = 'a';
            found.add(codes.code(zeros, 0, length));
        }
        assertThat(found).hasSize(80);
        found.forEach(codes::remove);
        assertThat(codes.size()).isZero();
        assertThat(codes.find("a")).isEqualTo(StringTable.NULL);
    }

    @Test
    void shouldTakeTheHashThatTheCallerHas()
    {
        final StringTable codes = codes(Lifetime.OWN);
        for (final String text : List.of("short", "of sixteen bytes", "a text of more than twenty-four bytes", "a\0"))
        {
            final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            final long hash = Utf8.hash(bytes, 0, bytes.length);
            assertThat(codes.find(hash, bytes, 0, bytes.length)).isEqualTo(StringTable.NULL);
            final int code = codes.code(hash, bytes, 0, bytes.length);
            assertThat(codes.find(hash, bytes, 0, bytes.length)).isEqualTo(code);
            assertThat(codes.code(bytes, 0, bytes.length)).isEqualTo(code);
        }
        assertThat(codes.size()).isEqualTo(4);
    }

    @Test
    void shouldOrderTextsByCodePoint()
    {
        final StringTable codes = codes(Lifetime.OWN);
        final List<String> ascending = List.of("A", "A\0", "AB", "ABCDEFGH", "ABCDEFGHI", "ABCDEFGHIJKLMNOPQRSTUVWX",
            "ABCDEFGHIJKLMNOPQRSTUVWXY", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ABD", "B", "z", "ä", "日", "\uD83D\uDE00");
        for (int i = 0; i < ascending.size(); i++)
        {
            for (int j = 0; j < ascending.size(); j++)
            {
                assertThat(Integer.signum(codes.compare(codes.code(ascending.get(i)), codes.code(ascending.get(j)))))
                    .as("%s and %s", ascending.get(i), ascending.get(j)).isEqualTo(Integer.signum(i - j));
            }
        }
        assertThat(codes.compare(StringTable.NULL, codes.code("A"))).isZero();
        assertThat(codes.compare(codes.code("A"), StringTable.NULL)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Lifetime.class)
    void shouldBeFullAtItsBound(final Lifetime lifetime)
    {
        final StringTable codes = new StringTable(lifetime, 3);
        assertThat(code(codes, "a")).isEqualTo(1);
        assertThat(code(codes, "of sixteen bytes")).isEqualTo(2);
        assertThat(code(codes, "c")).isEqualTo(3);
        assertThat(code(codes, "d")).isEqualTo(StringTable.FULL);
        assertThat(code(codes, "another sixteen.")).isEqualTo(StringTable.FULL);
        assertThat(code(codes, "a")).isEqualTo(1);
        assertThat(codes.find("d")).isEqualTo(StringTable.NULL);
        assertThat(codes.size()).isEqualTo(codes.maxCodes()).isEqualTo(3);
        if (lifetime == Lifetime.HELD)
        {
            codes.endOfBatch();
            assertThat(code(codes, "d")).isPositive();
        }
    }

    @Test
    void shouldRefuseABoundThatIsNone()
    {
        assertThatThrownBy(() -> new StringTable(Lifetime.OWN, 0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new StringTable(Lifetime.OWN, Integer.MAX_VALUE))
            .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldUseARemovedCodeForTheNextText()
    {
        final StringTable codes = codes(Lifetime.OWN);
        final int first = code(codes, "a");
        final int second = code(codes, "a text of more than twenty-four bytes");
        codes.remove(first);
        codes.remove(second);
        codes.remove(StringTable.NULL);
        assertThat(codes.size()).isZero();
        assertThat(codes.find("a")).isEqualTo(StringTable.NULL);
        assertThat(codes.find("a text of more than twenty-four bytes")).isEqualTo(StringTable.NULL);
        assertThat(code(codes, "b")).isEqualTo(second);
        assertThat(code(codes, "c")).isEqualTo(first);
        assertThat(codes.string(second)).isEqualTo("b");
        assertThat(codes.limit()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource(value = Lifetime.class, names = "HELD")
    void shouldLetNobodyRemoveCodesThatOthersUse(final Lifetime lifetime)
    {
        final StringTable codes = codes(lifetime);
        final int code = code(codes, "a");
        assertThatThrownBy(() -> codes.remove(code)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldKeepACodeUntilItsLastHolderReleasesIt()
    {
        final StringTable codes = new StringTable(Lifetime.HELD, 2);
        final int held = code(codes, "a");
        codes.hold(held);
        codes.hold(held);
        codes.endOfBatch();
        codes.release(held);
        code(codes, "b");
        codes.endOfBatch();
        assertThat(codes.find("a")).isEqualTo(held);
        code(codes, "c");
        codes.release(held);
        codes.endOfBatch();
        assertThat(codes.find("a")).isEqualTo(StringTable.NULL);
    }

    @Test
    void shouldKeepCodesWithoutHolderUntilTheBatchEnds()
    {
        final StringTable codes = new StringTable(Lifetime.HELD, 4);
        final int code = code(codes, "a");
        code(codes, "b");
        code(codes, "c");
        codes.hold(code);
        codes.release(code);
        assertThat(codes.string(code)).isEqualTo("a");
        codes.endOfBatch();
        assertThat(codes.size()).isLessThanOrEqualTo(2);
    }

    @Test
    void shouldLetFourThousandCodesWaitTheOldestGoingFirst()
    {
        final StringTable codes = codes(Lifetime.HELD);
        final int first = code(codes, "first");
        final int again = code(codes, "again");
        for (int i = 0; i < StringTable.MOST_WAITING - 2; i++)
        {
            code(codes, "k" + i);
        }
        codes.endOfBatch();
        assertThat(codes.size()).isEqualTo(StringTable.MOST_WAITING);
        codes.hold(again);
        code(codes, "one more");
        codes.endOfBatch();
        assertThat(codes.find("first")).isEqualTo(StringTable.NULL);
        assertThat(code(codes, "takes the place")).isEqualTo(first);
        codes.endOfBatch();
        assertThat(codes.find("again")).as("held while it waited").isEqualTo(again);
        assertThat(codes.size()).isEqualTo(StringTable.MOST_WAITING + 1);
        codes.release(again);
        codes.endOfBatch();
        assertThat(codes.find("again")).as("waits again, at the end").isEqualTo(again);
    }

    @Test
    void shouldLetMoreCodesWaitLongerWhenAskedTo()
    {
        final StringTable codes = codes(Lifetime.HELD);
        codes.waitLonger();
        for (int i = 0; i < 40_000; i++)
        {
            code(codes, "k" + i);
        }
        codes.endOfBatch();
        assertThat(codes.size()).isEqualTo(1 << 15);
        assertThat(codes.find("k0")).isEqualTo(StringTable.NULL);
        assertThat(codes.find("k39999")).isNotEqualTo(StringTable.NULL);
    }

    @Test
    void shouldLetNoMoreCodesThanUsualWaitWhenTheirTextsAreLong()
    {
        final StringTable codes = codes(Lifetime.HELD);
        codes.waitLonger();
        for (int i = 0; i < 10_000; i++)
        {
            code(codes, "k" + i + "-".repeat(600));
        }
        codes.endOfBatch();
        assertThat(codes.size()).isEqualTo(StringTable.MOST_WAITING);
    }

    @Test
    void shouldLetNoneWaitWhenTheTableIsLarge()
    {
        final StringTable codes = codes(Lifetime.HELD);
        for (int i = 0; i < 20_000; i++)
        {
            codes.hold(code(codes, "order-00000000" + i));
        }
        code(codes, "this code has no holder");
        codes.endOfBatch();
        assertThat(codes.size()).isEqualTo(20_000);
    }

    @Test
    void shouldNoticeMoreReleasesThanHolds()
    {
        final StringTable codes = codes(Lifetime.HELD);
        final int code = code(codes, "a");
        assertThatThrownBy(() -> codes.release(code)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldNoticeTheUseOfACodeThatIsNotInUse()
    {
        final StringTable codes = codes(Lifetime.OWN);
        final int gone = code(codes, "a");
        final int other = code(codes, "b");
        codes.remove(gone);
        assertThatThrownBy(() -> codes.hold(gone)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.release(gone)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.remove(gone)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.string(gone)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.length(gone)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.copy(gone, new byte[8], 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> codes.compare(other, gone)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldDelayTheReuseOfCodesForTests()
    {
        final StringTable codes = StringTable.withDelayedReuse(Lifetime.OWN, MANY, 3);
        final List<Integer> removed = new ArrayList<>();
        for (int i = 0; i < 4; i++)
        {
            removed.add(code(codes, "k" + i));
        }
        for (int i = 0; i < 3; i++)
        {
            codes.remove(removed.get(i));
        }
        final int next = code(codes, "new");
        assertThat(next).isEqualTo(5);
        assertThatThrownBy(() -> codes.string(removed.get(0))).isInstanceOf(IllegalStateException.class);
        codes.remove(removed.get(3));
        assertThat(code(codes, "newer")).isEqualTo(removed.get(0));
        assertThat(code(codes, "newest")).isEqualTo(6);
    }

    @Test
    void shouldTakeNoNewTextsButInPlaceOfOthersWhenMemoryIsShort()
    {
        final MemoryBudget budget = new MemoryBudget(1 << 18, new ManualClock(0));
        final MemoryAccount account = budget.open(new MemoryHolder("app", "proc", "rule", "state"));
        final StringTable codes = new StringTable(Lifetime.OWN, MANY, account);
        int taken = 0;
        while (codes.code("a text of more than eight bytes " + taken) != StringTable.FULL)
        {
            taken++;
        }
        assertThat(taken).isBetween(1_000, (1 << 18) / 100);
        assertThat(account.bytes()).isGreaterThan(taken * 64L);
        assertThat(codes.find("a text of more than eight bytes 7")).isEqualTo(8);
        codes.remove(8);
        assertThat(codes.code("in its place")).isEqualTo(8);
        assertThat(codes.code("one more")).isEqualTo(StringTable.FULL);
    }

    @Test
    void shouldGiveTheMemoryOfVeryLongTextsBack()
    {
        final MemoryAccount account = MemoryAccount.unlimited();
        final StringTable codes = new StringTable(Lifetime.OWN, MANY, account);
        final int code = codes.code("x".repeat(1_000_000));
        assertThat(account.bytes()).isGreaterThan(1_000_000);
        codes.remove(code);
        assertThat(account.bytes()).isLessThan(1_000);
    }

    @Test
    void shouldTellListenersOfACodeBeforeItIsGivenBack()
    {
        final StringTable codes = StringTable.withDelayedReuse(Lifetime.HELD, MANY, 1);
        final List<String> gone = new ArrayList<>();
        codes.whenGivenBack(code -> gone.add("first " + codes.string(code)));
        codes.whenGivenBack(code -> gone.add("second " + codes.string(code)));
        codes.hold(code(codes, "held"));
        code(codes, "passing");
        codes.endOfBatch();
        assertThat(gone).containsExactly("first passing", "second passing");
        codes.release(codes.find("held"));
        codes.endOfBatch();
        assertThat(gone).endsWith("first held", "second held");
    }

    @Test
    void shouldGiveEachCodeBackOnceWhateverListenersOfferAndRelease()
    {
        final StringTable codes = StringTable.withDelayedReuse(Lifetime.HELD, MANY, 1);
        final List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            all.add(code(codes, "a key of several words " + i));
        }
        final List<Integer> held = new ArrayList<>(all.subList(90, 100));
        held.forEach(codes::hold);
        final List<Integer> gone = new ArrayList<>();
        codes.whenGivenBack(code ->
        {
            gone.add(code);
            all.stream().filter(other -> !gone.contains(other)).forEach(codes::offer);
            if (!held.isEmpty())
            {
                codes.release(held.remove(0));
            }
        });
        codes.endOfBatch();
        assertThat(gone).containsExactlyInAnyOrderElementsOf(all);
        assertThat(codes.size()).isZero();
    }

    /**
     * Codes of more strings than are cached as objects, then of a few repeated ones: several paths must return the same
     * codes.
     */
    @Test
    void shouldGiveAStringOneCodeWhetherItsObjectIsRememberedOrNot()
    {
        final long seed = Long.getLong("seed", 20_261_128L);
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        final String[] endings = {"", " more than a head", "\u00fc", "\0"};
        final StringTable codes = new StringTable(Lifetime.OWN, 1 << 20);
        final Map<String, Integer> expected = new HashMap<>();
        final String[] batch = new String[256];
        final int[] found = new int[batch.length];
        for (int round = 0; round < 1_500; round++)
        {
            final int different = round < 400 ? 60_000 : 50;
            for (int i = 0; i < batch.length; i++)
            {
                final int number = random.nextInt(different);
                batch[i] = i == 7 ? null : i == 8 ? "" : number + endings[random.nextInt(endings.length)];
            }
            assertThat(codes.codes(batch, batch.length, found)).isTrue();
            for (int i = 0; i < batch.length; i++)
            {
                final int code = i == 7 || i == 8 ? StringTable.NULL : expected.computeIfAbsent(batch[i],
                    text -> expected.size() + 1);
                assertThat(found[i]).as("round %d, row %d", round, i).isEqualTo(code);
            }
        }
        assertThat(codes.size()).isEqualTo(expected.size());
        expected.forEach((text, code) -> assertThat(codes.string(code)).isEqualTo(text));
    }

    /** For random strings, also of characters with similar bytes, order and equality are those of the bytes. */
    @Test
    void shouldOrderRandomTextsLikeTheirBytes()
    {
        final Random random = new Random(5);
        final StringTable codes = codes(Lifetime.OWN);
        for (int step = 0; step < 20_000; step++)
        {
            final byte[] left = new byte[1 + random.nextInt(40)];
            final byte[] right = new byte[1 + random.nextInt(40)];
            for (int i = 0; i < left.length; i++)
            {
                left[i] = (byte)(random.nextInt(12) == 0 ? random.nextInt(256) : 'a');
            }
            System.arraycopy(left, 0, right, 0, Math.min(left.length, right.length));
            right[random.nextInt(right.length)] = (byte)random.nextInt(256);
            final int expected = java.util.Arrays.compareUnsigned(left, right);
            final int found = codes.compare(codes.code(left, 0, left.length), codes.code(right, 0, right.length));
            assertThat(Integer.signum(found)).isEqualTo(Integer.signum(expected));
        }
    }
}
