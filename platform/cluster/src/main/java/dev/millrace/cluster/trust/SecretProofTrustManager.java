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
 * Accepts a chain if the member's trust store accepts it and it ends with a proof of the domain's secret. A certificate
 * from the same authority without the proof is not sufficient. Thread-safe.
 */
final class SecretProofTrustManager extends X509ExtendedTrustManager
{
    private final X509ExtendedTrustManager store;
    private final DomainCertificate domain;

    SecretProofTrustManager(final X509ExtendedTrustManager store, final DomainCertificate domain)
    {
        this.store = store;
        this.domain = domain;
    }

    /** Returns the chain without its proof, which has been verified. */
    private X509Certificate[] proven(final X509Certificate[] chain) throws CertificateException
    {
        final int last = chain.length - 1;
        try
        {
            if (last < 1 || !MessageDigest.isEqual(domain.proof(chain[0].getPublicKey()).getEncoded(),
                chain[last].getEncoded()))
            {
                throw new CertificateException("the certificate has no proof of the domain's secret, subject=" +
                    (last < 0 ? "-" : chain[0].getSubjectX500Principal()));
            }
        }
        catch (final CertificateException e)
        {
            throw e;
        }
        catch (final GeneralSecurityException e)
        {
            throw new CertificateException("the proof of the domain's secret cannot be verified", e);
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
