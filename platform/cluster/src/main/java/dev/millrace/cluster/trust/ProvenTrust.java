package dev.millrace.cluster.trust;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts chains that the member's own store trusts and that end with a proof of the domain's secret: a certificate that
 * somebody else got from the same authority is not enough. Thread-safe.
 */
final class ProvenTrust extends X509ExtendedTrustManager
{
    private final X509ExtendedTrustManager store;
    private final DomainCertificate domain;

    ProvenTrust(final X509ExtendedTrustManager store, final DomainCertificate domain)
    {
        this.store = store;
        this.domain = domain;
    }

    /** The chain without its proof, which was checked. */
    private X509Certificate[] proven(final X509Certificate[] chain) throws CertificateException
    {
        final int last = chain.length - 1;
        try
        {
            if (last < 1 || !MessageDigest.isEqual(domain.proof(chain[0].getPublicKey()).getEncoded(),
                chain[last].getEncoded()))
            {
                throw new CertificateException("the certificate is without a proof of the domain's secret, subject=" +
                    (last < 0 ? "-" : chain[0].getSubjectX500Principal()));
            }
        }
        catch (final CertificateException e)
        {
            throw e;
        }
        catch (final GeneralSecurityException e)
        {
            throw new CertificateException("the proof of the domain's secret cannot be checked", e);
        }
        return Arrays.copyOf(chain, last);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final Socket socket)
        throws CertificateException
    {
        store.checkClientTrusted(proven(chain), type, socket);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final Socket socket)
        throws CertificateException
    {
        store.checkServerTrusted(proven(chain), type, socket);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
        throws CertificateException
    {
        store.checkClientTrusted(proven(chain), type, engine);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type, final SSLEngine engine)
        throws CertificateException
    {
        store.checkServerTrusted(proven(chain), type, engine);
    }

    @Override
    public void checkClientTrusted(final X509Certificate[] chain, final String type) throws CertificateException
    {
        store.checkClientTrusted(proven(chain), type);
    }

    @Override
    public void checkServerTrusted(final X509Certificate[] chain, final String type) throws CertificateException
    {
        store.checkServerTrusted(proven(chain), type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers()
    {
        return store.getAcceptedIssuers();
    }
}
