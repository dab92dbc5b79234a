# The server, built from this repository. docs/running.md says how it is run.
#
#     docker build -t resilin .
#     docker run -p 127.0.0.1:9200:9200 -v resilin:/data resilin
#
# --build-arg PACKAGES=@aws-sdk/client-s3 puts in what repositories of snapshots in S3 need; a node of a cluster needs
# PACKAGES='@nats-io/jetstream @nats-io/kv @nats-io/transport-node'.

FROM node:20-bookworm-slim AS build
ARG PACKAGES=""
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund \
 && npm run build:package \
 && mkdir /pack \
 && npm pack --ignore-scripts --pack-destination /pack . ./packages/server
WORKDIR /opt/resilin
RUN echo '{"private":true}' > package.json \
 && npm install --omit=dev --no-audit --no-fund /pack/*.tgz $PACKAGES

FROM node:20-bookworm-slim
COPY --from=build /opt/resilin /opt/resilin
# A resilin.yml that is mounted here is read at the start.
WORKDIR /etc/resilin
RUN ln -s /opt/resilin/node_modules/.bin/resilin /usr/local/bin/resilin \
 && mkdir /data \
 && chown node:node /data
USER node
VOLUME /data
EXPOSE 9200
# glibc keeps an arena for each thread, and what was freed in them stays.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    RESILIN_HOST=0.0.0.0 \
    RESILIN_DATA=/data
HEALTHCHECK --interval=30s --timeout=6s --start-period=30s CMD ["resilin", "health"]
# Finishing may take 60 s: docker stop --time 70
STOPSIGNAL SIGTERM
ENTRYPOINT ["resilin"]
