package dev.millrace.command.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Distribution of partitions across members, and the resulting shares of events. */
@Timeout(60)
class PlacementTest
{
    private static double[] equal(final int partitions)
    {
        final double[] shares = new double[partitions];
        Arrays.fill(shares, 1.0 / partitions);
        return shares;
    }

    @Test
    void shouldMoveAnNthOfThePartitionsAndNoOtherOnesWhenOneOfNMembersIsLost()
    {
        final Placement all = Placement.of(equal(8192), Rendezvous.owners(8192, 16, 0), 16);
        int sum = 0;
        for (int lost = 0; lost < 16; lost++)
        {
            final Placement rest = all.without(lost, 0);
            final int moved = rest.moved(all);
            assertThat(moved).isEqualTo(all.partitionsOf(lost));
            // A binomial distribution with mean 512 and standard deviation 21.9: five deviations.
            assertThat((double)moved).isCloseTo(512, within(110.0));
            assertThat(rest.partitionsOf(lost)).isZero();
            assertThat(Arrays.stream(rest.memberShares()).sum()).isCloseTo(1, within(1e-9));
            sum += moved;
        }
        assertThat(sum).isEqualTo(8192);
    }

    @Test
    void shouldGiveANewMemberItsPartAndMoveNothingElse()
    {
        final int[] before = Rendezvous.owners(8192, 15, 0);
        final int[] after = Rendezvous.owners(8192, 16, 0);
        int moved = 0;
        for (int i = 0; i < before.length; i++)
        {
            if (before[i] != after[i])
            {
                assertThat(after[i]).isEqualTo(15);
                moved++;
            }
        }
        assertThat((double)moved).isCloseTo(512, within(110.0));
    }

    @Test
    void shouldSpreadAsEvenlyAsARealClusterDid()
    {
        // Ignite assigned 44, 41 and 43 of 128 partitions to three members; binomial: 42.7 with a deviation of 5.3.
        final Placement three = Placement.of(equal(128), Rendezvous.owners(128, 3, 0), 3);
        for (int member = 0; member < 3; member++)
        {
            assertThat((double)three.partitionsOf(member)).isCloseTo(42.7, within(16.0));
        }
    }

    @Test
    void shouldKeepPartitionsInTheirGroupWhenAMemberIsLost()
    {
        final int[] owners = Rendezvous.owners(4096, 100, 10);
        final BitSet lost = new BitSet();
        lost.set(42);
        int moved = 0;
        for (int partition = 0; partition < owners.length; partition++)
        {
            final int next = Rendezvous.owner(partition, 100, 10, lost);
            assertThat(next / 10).isEqualTo(owners[partition] / 10);
            moved += next == owners[partition] ? 0 : 1;
        }
        // 41 of 4,096 on average, deviation 6.4.
        assertThat((double)moved).isCloseTo(41, within(32.0));
        assertThat(Placement.of(equal(4096), owners, 100).idle()).isZero();
    }

    @Test
    void shouldCountMembersWithoutPartitions()
    {
        // 4 partitions keep at most 4 of 1,000 members busy.
        assertThat(Placement.of(equal(4), Rendezvous.owners(4, 1000, 0), 1000).idle()).isBetween(996, 999);
    }

    @Test
    void shouldAddUpSharesOfPartitionsByHand()
    {
        final Placement placement = Placement.of(new double[] {0.5, 0.3, 0.2}, new int[] {1, 0, 0}, 3);
        assertThat(placement.memberShares()).containsExactly(new double[] {0.5, 0.5, 0}, within(1e-12));
        assertThat(placement.topShare()).isCloseTo(0.5, within(1e-12));
        assertThat(placement.idle()).isEqualTo(1);
    }

    @Test
    void shouldGiveKeysTheSharesOfZipfsLaw()
    {
        // 1 + 1/2 + 1/3 = 11/6
        assertThat(ZipfShares.ofTopKey(3, 1)).isCloseTo(6.0 / 11, within(1e-12));
        assertThat(ZipfShares.ofTopKey(4, 0)).isCloseTo(0.25, within(1e-12));
        // 1 + 1/4 + 1/9 = 49/36
        assertThat(ZipfShares.ofTopKey(3, 2)).isCloseTo(36.0 / 49, within(1e-12));
        // Enough partitions that each of the three keys has a separate one.
        final double[] shares = ZipfShares.ofPartitions(3, 1, 1_000_003, 1);
        assertThat(Arrays.stream(shares).filter(share -> share > 0).sorted().toArray())
            .containsExactly(new double[] {2.0 / 11, 3.0 / 11, 6.0 / 11}, within(1e-12));
        assertThat(ZipfShares.ofPartitions(100, 1.2, 1, 1)).containsExactly(new double[] {1}, within(1e-12));
    }

    @Test
    void shouldDrawByShares()
    {
        final java.util.SplittableRandom random = new java.util.SplittableRandom(3);
        final AliasTable table = new AliasTable(new double[] {0.5, 0, 0.125, 0.375});
        final int[] counts = new int[4];
        for (int i = 0; i < 1_000_000; i++)
        {
            counts[table.draw(random)]++;
        }
        assertThat(counts[1]).isZero();
        // Deviation of the first: 500.
        assertThat(counts[0]).isBetween(497_500, 502_500);
        assertThat(counts[2]).isBetween(123_300, 126_700);
        assertThat(counts[3]).isBetween(372_500, 377_500);
    }
}
